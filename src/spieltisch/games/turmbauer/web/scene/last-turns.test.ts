import { describe, expect, it } from "vitest";
import { lastStones, lastWalks } from "./last-turns";
import type { View } from "../view";

const cell = { x: 0, y: 0, z: 1 };
const view = {
  tower: [{ colour: "R", kind: "1c", cells: [cell] }],
  sides: [{ colour: "R", pawn: { x: 1, y: 0, z: 0 } }],
} as unknown as View;
const mark = (stone: number[][] | null, pawn: number[] | null): { seat: number; mark: unknown } => ({
  seat: 0,
  mark: { colour: "R", stone, pawn },
});

describe("the marks of last turns", () => {
  it("outlines the stones that still stand", () => {
    expect(lastStones(view, [mark([[0, 0, 1]], null), mark([[5, 5, 1]], null)])).toEqual([[cell]]);
  });

  it("marks where a pawn walked to, as long as it stands there", () => {
    expect(lastWalks(view, [mark(null, [1, 0, 0])])).toEqual([{ field: { x: 1, y: 0, z: 0 }, kind: "last" }]);
    expect(lastWalks(view, [mark(null, [0, 1, 0])])).toEqual([]);
  });
});
