/** What carries what: rods from stone to stone, the thicker the more they bear. */
import type { Cube } from "../tower";
import { middleOf } from "./bevel";
import { add, type Vector } from "./block";
import { touchOf, type Load } from "./labels";

export interface Rod {
  readonly from: Vector;
  readonly to: Vector;
  readonly radius: number;
}

const THICKEST = 0.24;
const THINNEST = 0.035;

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
