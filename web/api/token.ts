/** The browser's secret: made here, kept by the server as a hash and by the browser as a cookie that no script reads. */
import { forget, lasting, recall, remember } from "../storage";

export function randomHex(bytes: number): string {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function makeKey(): string {
  return randomHex(12);
}

/** The secret, as long as the cookie is not known to be there; it outlives a reload in the middle of the first request. */
export function bearer(): string | null {
  if (recall<boolean>("known")) return null;
  return recall<string>("secret") ?? renew();
}

export function renew(): string {
  const secret = randomHex(24);
  forget("known");
  remember("secret", secret);
  return secret;
}

/** The server has answered with the cookie. Where nothing lasts there are no cookies either: the secret is sent on. */
export function settle(): void {
  if (!lasting || !navigator.cookieEnabled) return;
  remember("known", true);
  forget("secret");
}
