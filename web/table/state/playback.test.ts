import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PlaybackQueue } from "./playback";

let shown: string[] = [];
const queue = new PlaybackQueue<string>((update) => {
  shown.push(update);
  return update.startsWith("slow") ? 1000 : 0;
});

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
});
afterEach(() => {
  queue.clear();
  vi.useRealTimers();
});

test("an update that takes no time is shown at once", () => {
  queue.push("a");
  queue.push("b");
  expect(shown).toEqual(["a", "b"]);
});

test("an update that arrives while another is shown waits for its turn", () => {
  for (const update of ["slow 1", "slow 2", "c"]) queue.push(update);
  expect(shown).toEqual(["slow 1"]);
  expect(queue.pending).toBe(2);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["slow 1", "slow 2"]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["slow 1", "slow 2", "c"]);
  expect(queue.pending).toBe(0);
});

test("flush shows all pending updates at once, in order", () => {
  for (const update of ["slow 1", "slow 2", "c"]) queue.push(update);
  queue.flush();
  expect(shown).toEqual(["slow 1", "slow 2", "c"]);
  vi.advanceTimersByTime(5000);
  expect(shown).toHaveLength(3);
});

test("an update after a pause is shown at once", () => {
  queue.push("slow 1");
  vi.advanceTimersByTime(1000);
  queue.push("slow 2");
  expect(shown).toEqual(["slow 1", "slow 2"]);
});

test("an update that was cleared is never shown", () => {
  for (const update of ["slow 1", "slow 2"]) queue.push(update);
  queue.clear();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(["slow 1"]);
});

test("skipping shows what belongs to the update at once, and begins with the next", () => {
  for (const update of ["slow a1", "slow a2", "slow b1", "slow c1"]) queue.push(update);
  queue.skip((update) => update.startsWith("slow a"));
  expect(shown).toEqual(["slow a1", "slow a2", "slow b1"]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["slow a1", "slow a2", "slow b1", "slow c1"]);
  vi.advanceTimersByTime(1000);
  queue.skip(() => true);
  expect(shown).toHaveLength(4);
});
