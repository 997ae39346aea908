/** Which cube a ray of sight meets first, and by which face it enters. */
import type { Point } from "../tower";

export interface Met {
  readonly cell: Point;
  /** The free cell before the face. */
  readonly before: Point;
  readonly top: boolean;
}

type Vector = readonly [number, number, number];
const FAR = 200;

/** Walks from cell to cell; the ray is given on the board's axes: x to the east, y to the north, z up. */
export function meet(from: Vector, way: Vector, taken: (cell: Point) => boolean): Met | null {
  const cell = from.map(Math.floor) as [number, number, number];
  const step = way.map(Math.sign) as [number, number, number];
  const each = way.map((value) => (value ? Math.abs(1 / value) : Infinity));
  const next = way.map((value, axis) => {
    if (!value) return Infinity;
    const edge = value > 0 ? cell[axis]! + 1 - from[axis]! : from[axis]! - cell[axis]!;
    return edge * each[axis]!;
  });
  for (let steps = 0; steps < FAR; steps++) {
    const axis = next[0]! < next[1]! ? (next[0]! < next[2]! ? 0 : 2) : next[1]! < next[2]! ? 1 : 2;
    const before = { x: cell[0], y: cell[1], z: cell[2] };
    cell[axis]! += step[axis]!;
    next[axis]! += each[axis]!;
    const now = { x: cell[0], y: cell[1], z: cell[2] };
    if (taken(now)) return { cell: now, before, top: axis === 2 && step[2] < 0 };
    if (now.z < 0 && step[2] < 0) return null;
  }
  return null;
}
