/** The browser's part in fair chance: a nonce for every seat, told as a hash first and revealed when all have sat down. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { forget, recall, remember } from "../storage";
import { randomHex } from "./token";

export interface Nonce {
  nonce: string;
  commit: string;
}

export function makeNonce(): Nonce {
  const nonce = randomHex(16);
  return { nonce, commit: hashed(nonce) };
}

export function hashed(hex: string): string {
  return bytesToHex(sha256(hexToBytes(hex)));
}

/** Nonces are found by what they were committed to. */
export function keepNonce({ nonce, commit }: Nonce): void {
  remember(`nonce.${commit}`, nonce);
}

export function nonceOf(commit: string): string | null {
  return recall<string>(`nonce.${commit}`);
}

export function forgetNonce(commit: string): void {
  forget(`nonce.${commit}`);
}
