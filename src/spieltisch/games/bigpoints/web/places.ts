/** Where everything stands on the board: pawns, steps, and the discs beside the staircase. */
import { PAWNS, placeOf, valueOf, type View } from "./reading";
import type { Plan, Point, Shape } from "./track";

const ALL = 55; // discs of a whole track
const STEPS = { base: 2.62, first: 0.42, rise: 0.3, dx: 0.15, dy: 0.24, width: 0.85 };
const TROUGH = { y: 3.0, height: 0.56, width: 4.4 };
const START = { first: 0.12, apart: 0.44, down: 0.2, front: 0.28, row: 3 };
export const PAWN = { onTrack: 1.08, onSteps: 0.96, below: 0.16 }; // heights, and the base below a disc's centre

/** What a view needs room for: a piece of track in a picture may come without stairs, and without a start. */
export function shapeOf({ phase, laid, steps, pawns }: View): Shape {
  const stairs = steps.length > 0;
  return { discs: phase === "deal" ? ALL : laid.length, stairs, start: stairs || pawns.includes(0) };
}

export interface Block extends Point {
  value: number;
  width: number;
  height: number;
  dx: number;
  dy: number;
}

/** The five steps from left to right: the front of each, and how far its tread goes back. */
export function blocks({ stairs, d }: Plan): Block[] {
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

/** The trough below the steps, and where the disc of each pawn waits in it. */
export function trough({ stairs, d }: Plan): { x: number; y: number; width: number; height: number } | null {
  if (!stairs) return null;
  const height = TROUGH.height * d;
  return { x: stairs.x, y: stairs.y + TROUGH.y * d - height / 2, width: TROUGH.width * d, height };
}

export function waiting(plan: Plan, pawn: string): Point {
  const box = trough(plan);
  if (!box) return { x: 0, y: 0 };
  const at = PAWNS.findIndex((letter) => letter === pawn);
  return { x: box.x + (box.width * (at + 0.5)) / PAWNS.length, y: box.y + box.height / 2 };
}

/** Where a pawn stands on a step: the middle of its base. */
export function onStep(plan: Plan, value: number): Point {
  const block = blocks(plan)[value];
  if (!block) return plan.line.at(-1)!;
  return { x: block.x + (block.width + block.dx) / 2, y: block.y - 0.36 * block.dy };
}

/** Where a pawn stands on a disc. */
export function onDisc({ spots, d }: Plan, place: number): Point {
  const { x, y } = spots[place]!;
  return { x, y: y + PAWN.below * d };
}

/** Where a pawn stands: the middle of its base. */
export function standing(plan: Plan, view: View, pawn: string): Point {
  const place = placeOf(view, pawn);
  if (place === null) return onStep(plan, valueOf(view, pawn) ?? 0);
  if (place > 0) return onDisc(plan, place);
  const { line, d } = plan;
  const { x, y } = line[0]!;
  const towards = Math.sign(line[1]!.x - x);
  const at = PAWNS.filter((letter) => placeOf(view, letter) === 0).findIndex((letter) => letter === pawn);
  const front = at >= START.row;
  return {
    x: x + towards * d * (START.first + START.apart * ((at % START.row) + (front ? 0.5 : 0))),
    y: y + d * (START.down + (front ? START.front : 0)),
  };
}

/** The way of a pawn between two views, disc by disc and step by step. */
export function route(plan: Plan, before: View, after: View, pawn: string): Point[] {
  const [from, to] = [placeOf(before, pawn), placeOf(after, pawn)];
  if (from === null) return to === null ? [] : route(plan, after, before, pawn).reverse();
  const points = [standing(plan, before, pawn)];
  const last = to ?? plan.spots.length;
  const towards = Math.sign(last - from);
  for (let place = from + towards; place !== last; place += towards)
    points.push(place > 0 ? onDisc(plan, place) : standing(plan, after, pawn));
  if (to === null) {
    points.push(plan.line.at(-1)!);
    for (let value = 0; value < (valueOf(after, pawn) ?? 0); value++) points.push(onStep(plan, value));
  }
  points.push(standing(plan, after, pawn));
  return points;
}

/** How far around each of these points a tap means it. */
export function around(points: readonly Point[], d: number): number[] {
  const FINGER = 26;
  return points.map((one) => {
    const nearest = Math.min(
      ...points.filter((other) => other !== one).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
    );
    return Math.max(d / 2, Math.min(FINGER, nearest / 2));
  });
}
