/** Nonces of the commit-reveal scheme for fair chance: a seat commits to a hash first, and reveals the nonce when all have joined. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { randomHex } from "../api/token";
import { storage } from "../storage";

/** Makes a nonce, stores it, and returns its commitment. */
export function commitNonce(): string {
  const nonce = randomHex(16);
  const commitment = hashHex(nonce);
  storage.save(`nonce.${commitment}`, nonce);
  return commitment;
}

/** The stored nonce of a commitment; null if this browser did not make it. */
export function loadNonce(commitment: string): string | null {
  return storage.load<string>(`nonce.${commitment}`);
}

export function removeNonce(commitment: string): void {
  storage.remove(`nonce.${commitment}`);
}

/** SHA-256 of bytes in hexadecimal. */
export function hashHex(hex: string): string {
  return bytesToHex(sha256(hexToBytes(hex)));
}
