/** The lens of small screens: how near, and where to; lengths in pixels from the middle of the box. */
import type { Spot } from "./wheel";

export const SMALL = 44; // a field narrower than this asks for the lens
export const NEAREST = 90; // how wide a field becomes at the most
const LARGE = 50;
const LEAN = 0.86;
const FINGER = 24;

export interface Lens extends Spot {
  z: number;
}

export const WHOLE: Lens = { z: 1, x: 0, y: 0 };

const between = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

export interface Box {
  width: number;
  height: number;
}

/** A lens kept over the board. */
export function held({ z, x, y }: Lens, board: Box, box: Box): Lens {
  const across = Math.max(0, (board.width * z - box.width) / 2);
  const down = Math.max(0, (board.height * z - box.height) / 2);
  return { z, x: between(x, -across, across), y: between(y, -down, down) };
}

/** The lens over a spot of the board. */
export function over(spot: Spot, u: number, board: Box, box: Box): Lens {
  const z = LARGE / u;
  return held({ z, x: -z * u * spot.x * LEAN, y: -z * u * spot.y * LEAN }, board, box);
}

export type Pair = readonly [Spot, Spot];

/** The lens after two fingers have moved: what lay between them still does. */
export function pinched(lens: Lens, before: Pair, now: Pair, nearest: number): Lens {
  const apart = ([one, other]: Pair): number => Math.hypot(one.x - other.x, one.y - other.y);
  const middle = ([one, other]: Pair): Spot => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const z = between(lens.z * (apart(now) / Math.max(1, apart(before))), 1, nearest);
  const [from, to] = [middle(before), middle(now)];
  return { z, x: to.x - ((from.x - lens.x) * z) / lens.z, y: to.y - ((from.y - lens.y) * z) / lens.z };
}

/** Where a point of the box lies on the board, in field widths. */
export function under(point: Spot, lens: Lens, u: number): Spot {
  return { x: (point.x - lens.x) / lens.z / u, y: (point.y - lens.y) / lens.z / u };
}

export interface Aimed {
  /** The lit fields that may be meant, the nearest first. */
  lit: string[];
  /** The field under the point. */
  field: string | null;
}

/** What a tap means: fields are met at half their width, lit ones also by the breadth of a finger. */
export function aim(
  point: Spot,
  spots: ReadonlyMap<string, Spot>,
  lit: ReadonlySet<string>,
  width: number,
): Aimed {
  const near = [...spots]
    .map(([name, { x, y }]) => ({ name, far: Math.hypot(x - point.x, y - point.y) * width }))
    .sort((one, other) => one.far - other.far);
  const reach = Math.max(FINGER, width / 2);
  return {
    lit: near.filter(({ name, far }) => lit.has(name) && far <= reach).map(({ name }) => name),
    field: near[0] && near[0].far <= width / 2 ? near[0].name : null,
  };
}
