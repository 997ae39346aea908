/** Last moves on the track: the way of the pawn beside the groove, and the place of the disc that was taken. */
import type { SeatMark } from "#web/log/lines";
import { grooveSection, type Layout, type Point } from "./track";

/** A move as the server marks it: `to` is null on the staircase. */
export interface MoveMark {
  pawn: string;
  from: number;
  to: number | null;
  taken: number | null;
}

export interface LastMove {
  seat: number;
  /** The way, beside the groove. */
  way: Point[];
  /** The tip of the way and its direction in degrees. */
  tip: Point & { angle: number };
  /** Where the pawn stood, and where the disc lay. */
  from: Point | null;
  taken: Point | null;
}

// In diameters of a disc.
const BESIDE = 0.57; // from the centre line
const BEFORE = 0.42; // before the pawn, which would hide the tip

/** Everybody's last moves; two ways over the same part of the track are on different sides of it. */
export function lastMoves(layout: Layout, marks: readonly SeatMark[]): LastMove[] {
  const moves = marks.flatMap(({ seat, mark }) => (mark as MoveMark[]).map((move) => ({ seat, ...move })));
  const sides: number[] = [];
  return moves.flatMap(({ seat, from, to, taken }, at) => {
    const crossing = moves.slice(0, at).filter((other) => overlaps(other, { from, to }));
    const side = crossing.some((other) => sides[moves.indexOf(other)] === 1) ? -1 : 1;
    sides[at] = side;
    const section = grooveSection(layout, from, to);
    const forward = to === null || to > from;
    const beside = side * (forward ? 1 : -1) * BESIDE * layout.d;
    const way = shorten(offset(section, beside), BEFORE * layout.d);
    const [before, tip] = [way.at(-2), way.at(-1)];
    if (!before || !tip) return [];
    const angle = (Math.atan2(tip.y - before.y, tip.x - before.x) * 180) / Math.PI;
    return {
      seat,
      way,
      tip: { ...tip, angle },
      from: from > 0 ? (layout.spots[from] ?? null) : null,
      taken: taken === null ? null : (layout.spots[taken] ?? null),
    };
  });
}

function overlaps(
  one: { from: number; to: number | null },
  other: { from: number; to: number | null },
): boolean {
  const range = ({ from, to }: { from: number; to: number | null }): [number, number] => {
    const end = to ?? Infinity;
    return [Math.min(from, end), Math.max(from, end)];
  };
  const [[a, b], [c, d]] = [range(one), range(other)];
  return a < d && c < b;
}

/** A polyline moved to its left by a distance. */
export function offset(points: readonly Point[], distance: number): Point[] {
  const distinct = points.filter(
    ({ x, y }, at) => !at || Math.hypot(x - points[at - 1]!.x, y - points[at - 1]!.y) > 0.01,
  );
  if (distinct.length < 2) return [];
  return distinct.map(({ x, y }, at) => {
    const before = distinct[Math.max(0, at - 1)]!;
    const after = distinct[Math.min(distinct.length - 1, at + 1)]!;
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const length = Math.hypot(dx, dy) || 1;
    return { x: x + (dy / length) * distance, y: y - (dx / length) * distance };
  });
}

/** A polyline without its last part of a given length; at least half of it stays. */
export function shorten(points: readonly Point[], by: number): Point[] {
  const lengthOf = (at: number): number =>
    Math.hypot(points[at]!.x - points[at - 1]!.x, points[at]!.y - points[at - 1]!.y);
  const whole = points.slice(1).reduce((sum, _, at) => sum + lengthOf(at + 1), 0);
  let left = whole - Math.min(by, whole / 2);
  const kept = points.slice(0, 1);
  for (let at = 1; at < points.length; at++) {
    const length = lengthOf(at);
    const [from, to] = [points[at - 1]!, points[at]!];
    if (length < left) kept.push(to);
    else {
      const share = length ? left / length : 0;
      return [...kept, { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }];
    }
    left -= length;
  }
  return kept;
}
