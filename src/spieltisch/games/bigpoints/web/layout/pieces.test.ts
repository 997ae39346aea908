import { expect, test } from "vitest";
import { VIEW, viewWith } from "../fixture";
import { hitRadii, pawnBase, pawnPath, trackShape } from "./pieces";
import { fitTrack } from "./track";

test("a pawn walks from disc to disc, and up the stairs step by step", () => {
  const layout = fitTrack(700, 500, trackShape(VIEW));
  const walked = viewWith({ pawns: [0, 8, 4, 2, null] });
  const points = pawnPath(layout, VIEW, walked, "r");
  expect(points).toHaveLength(8);
  expect(points.at(-1)).toEqual(pawnBase(layout, walked, "r"));
  const climbed = viewWith({
    pawns: [0, 1, null, 2, null],
    steps: VIEW.steps.map((step) => (step.value === 3 ? { value: 3, pawn: "y" } : step)),
  });
  expect(pawnPath(layout, VIEW, climbed, "y").at(-1)).toEqual(pawnBase(layout, climbed, "y"));
  expect(pawnPath(layout, climbed, VIEW, "y").at(-1)).toEqual(pawnBase(layout, VIEW, "y"));
});

test("a hit radius is a finger's, halved between neighbours, and at least a disc's", () => {
  const [one, other, far] = hitRadii(
    [
      { x: 0, y: 0 },
      { x: 30, y: 0 },
      { x: 300, y: 0 },
    ],
    36,
  );
  expect([one, other, far]).toEqual([18, 18, 26]);
});
