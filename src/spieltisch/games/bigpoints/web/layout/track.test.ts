import { expect, test } from "vitest";
import { fitTrack, grooveSection, type Point, type TrackShape } from "./track";

const WHOLE: TrackShape = { discs: 55, stairs: true, start: true };
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
  const layout = fitTrack(width, height, WHOLE);
  expect(Math.round(layout.d)).toBe(d);
  expect(layout.rows).toBe(rows);
});

test.each(BOXES)("in $width × $height no disc overlaps another, the stairs or the edge of the box", (box) => {
  const { d, spots, stairs } = fitTrack(box.width, box.height, WHOLE);
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
  const piece = fitTrack(440, 200, { discs: 9, stairs: false, start: false });
  expect(piece.d).toBeGreaterThan(44);
  expect(piece.spots).toHaveLength(10);
  expect(piece.stairs).toBeNull();
});

test("a box that is too small for anything still has a layout", () => {
  const { d, spots } = fitTrack(10, 10, WHOLE);
  expect(d).toBeLessThan(8);
  expect(spots).toHaveLength(56);
});

test("a section goes from disc to disc along the groove, forward and backward", () => {
  const layout = fitTrack(344, 372, WHOLE);
  const there = grooveSection(layout, 3, 12);
  expect(there[0]).toMatchObject({ x: layout.spots[3]!.x, y: layout.spots[3]!.y });
  expect(there.at(-1)).toMatchObject({ x: layout.spots[12]!.x, y: layout.spots[12]!.y });
  there.slice(1).forEach((point, at) => expect(apart(point, there[at]!)).toBeLessThan(344));
  expect(grooveSection(layout, 12, 3)).toEqual(there.toReversed());
  expect(grooveSection(layout, 12, null).at(-1)).toMatchObject(layout.line.at(-1)!);
});

test("a section within one straight part of the groove is straight", () => {
  const layout = fitTrack(344, 372, WHOLE);
  expect(grooveSection(layout, 2, 3)).toHaveLength(2);
  expect(grooveSection(layout, 3, 2)).toHaveLength(2);
});
