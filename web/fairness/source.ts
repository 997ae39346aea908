/**
 * The source of fair chance, written a second time for the browser: HMAC-SHA-256 keyed by the server's secret and the
 * seats' nonces. `tests/gameplay/vectors` holds it to the server's. It uses no Web Crypto, which browsers offer only on
 * HTTPS pages, and a table at home has none.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const DIGEST_RANGE = 1n << 256n;

export class FairSource {
  readonly #key: Uint8Array;

  /** `nonces` has one per seat, empty if the seat revealed none; `game` is the game's index in the match. */
  constructor(secret: string, nonces: readonly string[], game: number) {
    const parts = nonces.map(hexToBytes).flatMap((nonce) => [Uint8Array.of(nonce.length), nonce]);
    this.#key = hmac(sha256, hexToBytes(secret), concatBytes(bigEndian(game, 4), ...parts));
  }

  /** The index that a draw picks, with probabilities proportional to the weights. */
  pick(number: number, weights: readonly number[]): number {
    let left = this.#uniform(
      "draw",
      number,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
    return weights.findIndex((weight) => (left -= weight) < 0);
  }

  /** The seat that starts. */
  first(players: number): number {
    return this.#uniform("first", 0, players);
  }

  /** A uniform integer below the limit, by rejection sampling: values in the last, incomplete range are drawn again. */
  #uniform(label: string, number: number, limit: number): number {
    const size = BigInt(limit);
    for (let attempt = 0; ; attempt++) {
      const message = concatBytes(utf8ToBytes(label), bigEndian(number, 8), bigEndian(attempt, 4));
      const value = BigInt(`0x${bytesToHex(hmac(sha256, this.#key, message))}`);
      if (value < DIGEST_RANGE - (DIGEST_RANGE % size)) return Number(value % size);
    }
  }
}

function bigEndian(value: number, length: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(2 * length, "0"));
}
