import { expect, test } from "vitest";
import { rankSeats } from "./standings";

test("the seats of a match are ranked by their totals, and ties share a rank", () => {
  expect(rankSeats([10, 30, 20])).toEqual([
    { seat: 1, rank: 1 },
    { seat: 2, rank: 2 },
    { seat: 0, rank: 3 },
  ]);
  expect(rankSeats([5, 5, 2]).map(({ rank }) => rank)).toEqual([1, 1, 3]);
  expect(rankSeats([])).toEqual([]);
});
