import { expect, test } from "vitest";
import { fit, way, type Point, type Shape } from "./track";

const WHOLE: Shape = { discs: 55, stairs: true, start: true };
const BOXES = [
  { width: 344, height: 372, d: 35, rows: 8 },
  { width: 374, height: 576, d: 45, rows: 10 },
  { width: 736, height: 760, d: 74, rows: 8 },
  { width: 1044, height: 656, d: 81, rows: 6 },
  { width: 1524, height: 836, d: 107, rows: 6 },
  { width: 384, height: 296, d: 33, rows: 7 },
];
const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

test.each(BOXES)("in $width × $height a disc is $d wide, in $rows rows", ({ width, height, d, rows }) => {
  const plan = fit(width, height, WHOLE);
  expect(Math.round(plan.d)).toBe(d);
  expect(plan.rows).toBe(rows);
});

test.each(BOXES)("in $width × $height no disc lies on another, on the stairs or beside the box", (box) => {
  const { d, spots, stairs } = fit(box.width, box.height, WHOLE);
  expect(spots).toHaveLength(56);
  const discs = spots.slice(1);
  discs.forEach((one, at) => {
    expect(one.x).toBeGreaterThanOrEqual(0.49 * d);
    expect(one.x).toBeLessThanOrEqual(box.width - 0.49 * d);
    expect(one.y).toBeGreaterThan(0.5 * d);
    expect(one.y).toBeLessThan(box.height - 0.5 * d);
    expect(one.x + d / 2 <= stairs!.x || one.y - d / 2 >= 3.2 * d).toBe(true);
    for (const other of discs.slice(0, at)) expect(apart(one, other)).toBeGreaterThan(0.99 * d);
  });
});

test("a piece of the track has bigger discs, and needs neither stairs nor start", () => {
  const piece = fit(440, 200, { discs: 9, stairs: false, start: false });
  expect(piece.d).toBeGreaterThan(44);
  expect(piece.spots).toHaveLength(10);
  expect(piece.stairs).toBeNull();
});

test("a box that is too small for anything still has a plan", () => {
  const { d, spots } = fit(10, 10, WHOLE);
  expect(d).toBeLessThan(8);
  expect(spots).toHaveLength(56);
});

test("a way goes from disc to disc along the groove, forward and backward", () => {
  const plan = fit(344, 372, WHOLE);
  const there = way(plan, 3, 12);
  expect(there[0]).toMatchObject({ x: plan.spots[3]!.x, y: plan.spots[3]!.y });
  expect(there.at(-1)).toMatchObject({ x: plan.spots[12]!.x, y: plan.spots[12]!.y });
  there.slice(1).forEach((point, at) => expect(apart(point, there[at]!)).toBeLessThan(344));
  expect(way(plan, 12, 3)).toEqual(there.toReversed());
  expect(way(plan, 12, null).at(-1)).toMatchObject(plan.line.at(-1)!);
});

test("a way within one stretch of the groove is straight", () => {
  const plan = fit(344, 372, WHOLE);
  expect(way(plan, 2, 3)).toHaveLength(2);
  expect(way(plan, 3, 2)).toHaveLength(2);
});
