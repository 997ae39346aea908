/** The browser's secret token: made here; the server keeps its hash, and the browser keeps it in an HttpOnly cookie. */
import { storage } from "../storage";

export function randomHex(bytes: number): string {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A new key with which a command takes effect only once, however often it is sent. */
export function makeIdempotencyKey(): string {
  return randomHex(12);
}

/** The token to send, or null if the cookie is set; stored, so that it survives a reload during the first request. */
export function bearerToken(): string | null {
  if (storage.load<boolean>("known")) return null;
  return storage.load<string>("secret") ?? renewToken();
}

export function renewToken(): string {
  const token = randomHex(24);
  storage.remove("known");
  storage.save("secret", token);
  return token;
}

/** The server has set the cookie: the token is no longer needed. Without cookies it is sent with every request. */
export function confirmCookie(): void {
  if (!storage.persistent || !navigator.cookieEnabled) return;
  storage.save("known", true);
  storage.remove("secret");
}
