/** Retries with exponential backoff, cut short when there is reason to believe that the connection is back. */
import { NetworkError, RefusalError } from "./client";

const FIRST_DELAY = 1000; // milliseconds
const MAX_DELAY = 8000;
const waiting = new Set<() => void>();

/** Repeats a request until the server responds; calls `failed` after every attempt without a response. */
export async function retry<T>(
  attempt: () => Promise<T>,
  failed: () => void,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NetworkError || (error instanceof RefusalError && error.retryable))) throw error;
      failed();
      const backoff = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures) * (0.75 + Math.random() / 2);
      await sleep(error instanceof RefusalError ? 1000 * (error.retryAfter ?? 1) : backoff, signal);
    }
  }
}

/** Retries at once whatever waits: the connection is back. */
export function retryNow(): void {
  for (const wake of [...waiting]) wake();
}

/** Waits, at most until the connection is back; throws if the signal aborts. */
function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(wake, milliseconds);
    function wake(): void {
      clearTimeout(timer);
      waiting.delete(wake);
      signal?.removeEventListener("abort", wake);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    }
    waiting.add(wake);
    signal?.addEventListener("abort", wake);
    if (signal?.aborted) wake();
  });
}

window.addEventListener("online", retryNow);
