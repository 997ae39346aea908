/** Layout of the pieces: pawns, steps, and the discs beside the staircase. */
import { discValue, PAWNS, pawnPlace, type View } from "../view";
import type { Layout, Point, TrackShape } from "./track";

// All lengths are multiples of a disc's diameter.
const FULL_TRACK = 55; // discs
const STEPS = { base: 2.62, first: 0.42, rise: 0.3, dx: 0.15, dy: 0.24, width: 0.85 };
const TROUGH = { y: 3.0, height: 0.56, width: 4.4 };
const START = { first: 0.12, apart: 0.44, down: 0.2, front: 0.28, row: 3 };
export const PAWN = { onTrack: 1.08, onSteps: 0.96, below: 0.16 }; // heights, and the base below a disc's centre
const FINGER = 26; // pixels: the hit radius for a finger

/** The parts of the track that a view shows: a diagram may have no staircase and no start. */
export function trackShape({ phase, laid, steps, pawns }: View): TrackShape {
  const stairs = steps.length > 0;
  return {
    discs: phase === "deal" ? FULL_TRACK : laid.length,
    stairs,
    start: stairs || pawns.includes(0),
  };
}

/** The front of a step, and how far its tread goes back. */
export interface StepBox extends Point {
  value: number;
  width: number;
  height: number;
  dx: number;
  dy: number;
}

/** The five steps from left to right; none if the layout has no staircase. */
export function stepBoxes({ stairs, d }: Layout): StepBox[] {
  if (!stairs) return [];
  return PAWNS.map((_, value) => {
    const height = (STEPS.first + value * STEPS.rise) * d;
    return {
      value,
      x: stairs.x + value * STEPS.width * d,
      y: stairs.y + STEPS.base * d - height,
      width: STEPS.width * d,
      height,
      dx: STEPS.dx * d,
      dy: STEPS.dy * d,
    };
  });
}

/** The trough below the steps, which holds one disc per pawn. */
export function troughBox({
  stairs,
  d,
}: Layout): { x: number; y: number; width: number; height: number } | null {
  if (!stairs) return null;
  const height = TROUGH.height * d;
  return { x: stairs.x, y: stairs.y + TROUGH.y * d - height / 2, width: TROUGH.width * d, height };
}

/** The centre of a pawn's disc in the trough. */
export function troughSpot(layout: Layout, pawn: string): Point {
  const box = troughBox(layout);
  if (!box) return { x: 0, y: 0 };
  const at = PAWNS.findIndex((letter) => letter === pawn);
  return { x: box.x + (box.width * (at + 0.5)) / PAWNS.length, y: box.y + box.height / 2 };
}

/** The centre of the base of a pawn on a step. */
export function pawnBaseOnStep(layout: Layout, value: number): Point {
  const box = stepBoxes(layout)[value];
  if (!box) return layout.line.at(-1)!;
  return { x: box.x + (box.width + box.dx) / 2, y: box.y - 0.36 * box.dy };
}

/** The centre of the base of a pawn on a disc. */
export function pawnBaseOnDisc({ spots, d }: Layout, place: number): Point {
  const { x, y } = spots[place]!;
  return { x, y: y + PAWN.below * d };
}

/** The centre of the base of a pawn. */
export function pawnBase(layout: Layout, view: View, pawn: string): Point {
  const place = pawnPlace(view, pawn);
  if (place === null) return pawnBaseOnStep(layout, discValue(view, pawn) ?? 0);
  if (place > 0) return pawnBaseOnDisc(layout, place);
  const { line, d } = layout;
  const { x, y } = line[0]!;
  const direction = Math.sign(line[1]!.x - x);
  const at = PAWNS.filter((letter) => pawnPlace(view, letter) === 0).findIndex((letter) => letter === pawn);
  const front = at >= START.row;
  return {
    x: x + direction * d * (START.first + START.apart * ((at % START.row) + (front ? 0.5 : 0))),
    y: y + d * (START.down + (front ? START.front : 0)),
  };
}

/** The path of a pawn from one view to the next, disc by disc and step by step. */
export function pawnPath(layout: Layout, before: View, after: View, pawn: string): Point[] {
  const [from, to] = [pawnPlace(before, pawn), pawnPlace(after, pawn)];
  if (from === null) return to === null ? [] : pawnPath(layout, after, before, pawn).reverse();
  const points = [pawnBase(layout, before, pawn)];
  const last = to ?? layout.spots.length;
  const direction = Math.sign(last - from);
  for (let place = from + direction; place !== last; place += direction)
    points.push(place > 0 ? pawnBaseOnDisc(layout, place) : pawnBase(layout, after, pawn));
  if (to === null) {
    points.push(layout.line.at(-1)!);
    for (let value = 0; value < (discValue(after, pawn) ?? 0); value++)
      points.push(pawnBaseOnStep(layout, value));
  }
  points.push(pawnBase(layout, after, pawn));
  return points;
}

/** Hit radii: the size of a finger, but no overlap of neighbours, and at least the size of a disc. */
export function hitRadii(points: readonly Point[], d: number): number[] {
  return points.map((one) => {
    const nearest = Math.min(
      ...points.filter((other) => other !== one).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
    );
    return Math.max(d / 2, Math.min(FINGER, nearest / 2));
  });
}
