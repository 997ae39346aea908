/** What carries what: rods from stone to stone, the thicker the more they bear, and numbers for the heaviest. */
import type { Cube } from "../tower";
import { middleOf } from "./bevel";
import { add, type Vector } from "./block";

/** What one stone carries of another: 0 is the foundation, -1 the table; weights in cubes, `at` where they touch. */
export interface Load {
  readonly carried: number;
  readonly carrier: number;
  readonly weight: number;
  readonly at: readonly [number, number, number];
}

/** As the server tells it. */
export interface Inside {
  readonly loads: readonly Load[];
  readonly firm: { readonly word: "firm" | "wobbles" | "falls"; readonly degrees: readonly number[] };
}

export interface Rod {
  readonly from: Vector;
  readonly to: Vector;
  readonly radius: number;
}

const THICKEST = 0.24;
const THINNEST = 0.035;

/** Where the middle of a contact is on the screen's axes. */
export const touchOf = ({ at: [x, y, z] }: Load): Vector => [x - 0.5, z, 0.5 - y];

/** The middle of a stone. */
export function centreOf(stone: readonly Cube[]): Vector {
  const sum = stone.map(middleOf).reduce<Vector>((all, one) => add(all, one), [0, 0, 0]);
  return add([0, 0, 0], sum, 1 / stone.length);
}

/** How thick the rod for a weight is: its section grows with the weight. */
export const thickness = (weight: number, heaviest: number): number =>
  Math.max(THINNEST, THICKEST * Math.sqrt(weight / heaviest));

/** The rods of all loads: from the middle of what is carried to where it touches, and on to what carries it. */
export function rodsOf(loads: readonly Load[], stones: readonly (readonly Cube[])[]): Rod[] {
  const heaviest = Math.max(...loads.map(({ weight }) => weight));
  return loads.flatMap((load) => {
    const [upper, lower] = [stones[load.carried], stones[load.carrier]];
    const radius = thickness(load.weight, heaviest);
    const at = touchOf(load);
    return [
      ...(upper ? [{ from: centreOf(upper), to: at, radius }] : []),
      ...(lower ? [{ from: at, to: centreOf(lower), radius }] : []),
    ];
  });
}

/** A word on the screen: where it belongs, and what it says. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly load: Load;
}

/** The labels that have room, the heaviest first, none over another and none over what is kept free. */
export function withRoom(
  labels: readonly Label[],
  kept: readonly { x: number; y: number }[],
  most: number,
  [wide, high]: readonly [number, number],
): Label[] {
  const placed: Label[] = [];
  for (const label of labels.toSorted((one, other) => other.load.weight - one.load.weight)) {
    const close = ({ x, y }: { x: number; y: number }): boolean =>
      Math.abs(x - label.x) < wide && Math.abs(y - label.y) < high;
    if (placed.length < most && ![...placed, ...kept].some(close)) placed.push(label);
  }
  return placed;
}
