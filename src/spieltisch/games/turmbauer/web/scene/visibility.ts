/** Visibility: whether the tower hides a previewed stone, and an orbit from which it does not. */
import type { Cell } from "../view";
import { orbitFrom, type Orbit } from "./camera";
import { raycast } from "./raycast";

/** The number of cells whose centre is visible to the camera. */
export function countVisible(
  cells: readonly Cell[],
  isOccupied: (cell: Cell) => boolean,
  orbit: Orbit,
): number {
  const azimuth = (orbit.azimuth * Math.PI) / 180;
  const elevation = (orbit.elevation * Math.PI) / 180;
  const toCamera = [
    Math.sin(azimuth) * Math.cos(elevation),
    -Math.cos(azimuth) * Math.cos(elevation),
    Math.sin(elevation),
  ] as const;
  return cells.filter(({ x, y, z }) => !raycast([x + 0.5, y + 0.5, z + 0.5], toCamera, isOccupied)).length;
}

/** The orbit itself if at least half of the cells are visible from it; otherwise the one of the side that sees most of them. */
export function orbitShowing(
  cells: readonly Cell[],
  isOccupied: (cell: Cell) => boolean,
  orbit: Orbit,
  narrow: boolean,
): Orbit {
  if (2 * countVisible(cells, isOccupied, orbit) >= cells.length) return orbit;
  let best = orbit;
  for (const side of "senw") {
    const other = orbitFrom(side, narrow);
    if (countVisible(cells, isOccupied, other) > countVisible(cells, isOccupied, best)) best = other;
  }
  return best;
}
