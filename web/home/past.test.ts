import { expect, test } from "vitest";
import { describeDay, describeResult } from "./past";
import type { FinalResult } from "./recent-tables";

const RESULT: FinalResult = {
  seats: ["Ada", "Ben", "Cleo"],
  mine: [0],
  winners: [0],
  scores: [36, 31, 32],
  resigned: [],
};

test("a victory is told with the points from the highest to the lowest", () => {
  expect(describeResult(RESULT)).toBe("You won 36 : 32 : 31");
  expect(describeResult({ ...RESULT, winners: [2], scores: [31, 30, 32] })).toBe("Cleo won 32 : 31 : 30");
});

test("points that did not decide are left out", () => {
  expect(describeResult({ ...RESULT, scores: null })).toBe("You won");
  expect(describeResult({ ...RESULT, winners: [1], scores: null })).toBe("Ben won");
});

test("several people at one device are called by their names", () => {
  expect(describeResult({ ...RESULT, mine: [0, 1] })).toBe("Ada won 36 : 32 : 31");
});

test("a shared victory names all winners", () => {
  expect(describeResult({ ...RESULT, winners: [0, 1] })).toBe("Ada and Ben shared the victory");
});

test("a resignation says who gave up", () => {
  expect(describeResult({ ...RESULT, winners: [0], resigned: [1, 2] })).toBe(
    "You won: Ben and Cleo resigned",
  );
  expect(describeResult({ ...RESULT, winners: [1, 2], resigned: [0] })).toBe("You resigned");
  expect(describeResult({ ...RESULT, mine: [], resigned: [1] })).toBe("Ben resigned");
});

test("a day is told as people say it", () => {
  const now = new Date(2026, 10, 18, 9).getTime();
  const at = (year: number, month: number, day: number): number => new Date(year, month, day, 23).getTime();
  expect(describeDay(at(2026, 10, 18), now)).toBe("today");
  expect(describeDay(at(2026, 10, 17), now)).toBe("yesterday");
  expect(describeDay(at(2026, 10, 14), now)).toBe("Saturday");
  expect(describeDay(at(2026, 10, 9), now)).toBe("Nov 9");
  expect(describeDay(at(2025, 10, 9), now)).toBe("Nov 9, 2025");
});
