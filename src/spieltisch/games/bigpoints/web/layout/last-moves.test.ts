import { describe, expect, it } from "vitest";
import { lastMoves, offset, shorten } from "./last-moves";
import { fitTrack } from "./track";

const layout = fitTrack(900, 500, { discs: 55, stairs: true, start: true });
const move = (from: number, to: number | null, taken: number | null): unknown => [
  { pawn: "b", from, to, taken },
];

describe("the marks of last moves", () => {
  it("runs beside the groove from where the pawn stood to where it stands, with the place of the disc", () => {
    const [found] = lastMoves(layout, [{ seat: 2, mark: move(3, 8, 9) }]);
    expect(found).toMatchObject({ seat: 2, from: layout.spots[3], taken: layout.spots[9] });
    const { x, y } = layout.spots[8]!;
    expect(Math.hypot(found!.tip.x - x, found!.tip.y - y)).toBeCloseTo(Math.hypot(0.57, 0.42) * layout.d, 0);
  });

  it("puts two ways over the same part of the track on different sides", () => {
    const marks = [
      { seat: 0, mark: move(3, 8, 9) },
      { seat: 1, mark: move(5, 10, 11) },
      { seat: 2, mark: move(20, 24, 25) },
    ];
    const [one, two, three] = lastMoves(layout, marks).map(({ way }) => way[0]!);
    const side = (point: { x: number; y: number }, at: number): number =>
      Math.sign(point.y - layout.spots[at]!.y);
    expect(side(one!, 3)).toBe(-side(two!, 5));
    expect(three).toBeDefined();
  });

  it("marks a move onto the staircase and an extra move as well", () => {
    const mark = [...(move(50, null, null) as object[]), ...(move(7, 4, 3) as object[])];
    expect(lastMoves(layout, [{ seat: 0, mark }])).toHaveLength(2);
  });

  it("draws nothing where there is no way", () => {
    expect(offset([{ x: 1, y: 1 }], 5)).toEqual([]);
    expect(shorten([], 5)).toEqual([]);
  });
});
