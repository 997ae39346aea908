/** Raycasting through the grid of cells. */
import type { Cell } from "../view";

export interface RayHit {
  readonly cell: Cell;
  /** The free cell in front of the face that was hit. */
  readonly adjacent: Cell;
  /** Whether the top face was hit. */
  readonly top: boolean;
}

type Vector = readonly [number, number, number];
const MAX_STEPS = 200;

/** Grid traversal (DDA): the first occupied cell on a ray. The axes are those of the cells: east, north, up. */
export function raycast(
  origin: Vector,
  direction: Vector,
  isOccupied: (cell: Cell) => boolean,
): RayHit | null {
  const cell = origin.map(Math.floor) as [number, number, number];
  const step = direction.map(Math.sign) as [number, number, number];
  const delta = direction.map((value) => (value ? Math.abs(1 / value) : Infinity));
  const next = direction.map((value, axis) => {
    if (!value) return Infinity;
    const edge = value > 0 ? cell[axis]! + 1 - origin[axis]! : origin[axis]! - cell[axis]!;
    return edge * delta[axis]!;
  });
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const axis = next[0]! < next[1]! ? (next[0]! < next[2]! ? 0 : 2) : next[1]! < next[2]! ? 1 : 2;
    const adjacent = { x: cell[0], y: cell[1], z: cell[2] };
    cell[axis]! += step[axis]!;
    next[axis]! += delta[axis]!;
    const here = { x: cell[0], y: cell[1], z: cell[2] };
    if (isOccupied(here)) return { cell: here, adjacent, top: axis === 2 && step[2] < 0 };
    if (here.z < 0 && step[2] < 0) return null;
  }
  return null;
}
