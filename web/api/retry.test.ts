// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NetworkError } from "./client";
import { retry, retryNow } from "./retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failing = (times: number): (() => Promise<string>) => {
  const attempt = vi.fn(() => Promise.resolve("done"));
  for (let at = 0; at < times; at++) attempt.mockRejectedValueOnce(new NetworkError());
  return attempt;
};

test("the pause between two attempts grows, to ten seconds at most", async () => {
  const attempt = failing(8);
  const done = retry(attempt, () => {});
  await vi.advanceTimersByTimeAsync(1_300);
  expect(attempt).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempt).toHaveBeenCalledTimes(9);
  expect(await done).toBe("done");
});

test("a connection that is back is used at once", async () => {
  const attempt = failing(1);
  const done = retry(attempt, () => {});
  await vi.advanceTimersByTimeAsync(1);
  retryNow();
  expect(await done).toBe("done");
});

test("an attempt that is no longer wanted is not repeated", async () => {
  const attempt = failing(5);
  const aborter = new AbortController();
  const done = retry(attempt, () => {}, aborter.signal);
  const refused = expect(done).rejects.toMatchObject({ name: "AbortError" });
  await vi.advanceTimersByTimeAsync(1);
  aborter.abort();
  await refused;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempt).toHaveBeenCalledTimes(1);
});
