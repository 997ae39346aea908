/** Rods that show the loads: from stone to stone through their contact, thicker for a heavier load. */
import type { Stone } from "../../view";
import { addScaled, cellCentre, type Vector } from "../geometry/vector";
import { contactPoint, type Load } from "./loads";

export interface Rod {
  readonly from: Vector;
  readonly to: Vector;
  readonly radius: number;
}

const MAX_RADIUS = 0.24;
const MIN_RADIUS = 0.035;

/** The centre of mass of a stone. */
export function stoneCentre(stone: Stone): Vector {
  const sum = stone.map(cellCentre).reduce<Vector>((all, one) => addScaled(all, one), [0, 0, 0]);
  return addScaled([0, 0, 0], sum, 1 / stone.length);
}

/** The radius of a rod, whose cross-section is proportional to the weight. */
export const rodRadius = (weight: number, heaviest: number): number =>
  Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(weight / heaviest));

/** The rods of all loads: from the carried stone to the contact, and on to the carrier. */
export function createRods(loads: readonly Load[], stones: readonly Stone[]): Rod[] {
  const heaviest = Math.max(...loads.map(({ weight }) => weight));
  return loads.flatMap((load) => {
    const [carried, carrier] = [stones[load.carried], stones[load.carrier]];
    const radius = rodRadius(load.weight, heaviest);
    const contact = contactPoint(load);
    return [
      ...(carried ? [{ from: stoneCentre(carried), to: contact, radius }] : []),
      ...(carrier ? [{ from: contact, to: stoneCentre(carrier), radius }] : []),
    ];
  });
}
