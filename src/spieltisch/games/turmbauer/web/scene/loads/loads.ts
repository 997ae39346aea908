/** Loads inside the tower, as the server sends them. */
import type { Vector } from "../geometry/vector";

/** A contact of two stones: 0 is the foundation, -1 the table. Weights are in cubes, `at` is the centre of the contact. */
export interface Load {
  readonly carried: number;
  readonly carrier: number;
  readonly weight: number;
  readonly at: readonly [number, number, number];
}

/** The details of a position: its loads, and how far it can be tilted to each side. */
export interface TowerDetails {
  readonly loads: readonly Load[];
  readonly firm: { readonly word: "firm" | "wobbles" | "falls"; readonly degrees: readonly number[] };
}

/** The contact of a load on the axes of the scene. */
export const contactPoint = ({ at: [x, y, z] }: Load): Vector => [x - 0.5, z, 0.5 - y];
