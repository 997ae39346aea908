import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "./playback";

let shown: string[] = [];
const pace = new Pace<string>((news) => {
  shown.push(news);
  return news.startsWith("slow") ? 1000 : 0;
});

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
});
afterEach(() => {
  pace.clear();
  vi.useRealTimers();
});

test("news that takes no time is shown at once", () => {
  pace.take("a");
  pace.take("b");
  expect(shown).toEqual(["a", "b"]);
});

test("what comes while something is being seen waits for its turn", () => {
  for (const news of ["slow 1", "slow 2", "c"]) pace.take(news);
  expect(shown).toEqual(["slow 1"]);
  expect(pace.behind).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["slow 1", "slow 2"]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["slow 1", "slow 2", "c"]);
  expect(pace.behind).toBe(false);
});

test("whoever is in a hurry sees the newest at once, and nothing is left out", () => {
  for (const news of ["slow 1", "slow 2", "c"]) pace.take(news);
  pace.hurry();
  expect(shown).toEqual(["slow 1", "slow 2", "c"]);
  vi.advanceTimersByTime(5000);
  expect(shown).toHaveLength(3);
});

test("after the last has been seen, the next is shown at once", () => {
  pace.take("slow 1");
  vi.advanceTimersByTime(1000);
  pace.take("slow 2");
  expect(shown).toEqual(["slow 1", "slow 2"]);
});

test("what is forgotten is never shown", () => {
  for (const news of ["slow 1", "slow 2"]) pace.take(news);
  pace.clear();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(["slow 1"]);
});
