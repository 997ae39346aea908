import { expect, test } from "vitest";
import { VIEW, viewWith } from "./fixture";
import { handScore, scoreHand } from "./view";

test("a hand scores by the steps of its pawns, and white by the number of other colours", () => {
  expect(handScore(VIEW, [0, 0, 0, 0, 2, 1, 1])).toBe(2 * 4 + 2);
  const printed = viewWith({
    steps: [..."rypbg"].map((pawn, at) => ({ value: 4 - at, pawn })),
  });
  expect(handScore(printed, [0, 2, 0, 1, 1, 2, 1])).toBe(18);
  expect(scoreHand(VIEW, [1, 0, 0, 0, 0, 0, 0])[0]).toMatchObject({ count: 1, points: 0, open: true });
});
