/** Vectors on the axes of three.js: x to the east, y up, z to the south. The origin is the centre of the turntable. */
import type { Cell } from "../../view";

export type Vector = readonly [number, number, number];

export const addScaled = (a: Vector, b: Vector, by = 1): Vector => [
  a[0] + by * b[0],
  a[1] + by * b[1],
  a[2] + by * b[2],
];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The centre of a cell. */
export const cellCentre = ({ x, y, z }: Cell): Vector => [x - 0.5, z + 0.5, 0.5 - y];
