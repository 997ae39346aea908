/** Whether what is chosen can be seen, and from where. */
import type { Point } from "../tower";
import { from, type Look } from "./camera";
import { meet } from "./ray";

/** How many of the cells nothing hides from the eye. */
export function seen(cells: readonly Point[], taken: (cell: Point) => boolean, look: Look): number {
  const [turn, rise] = [look.azimuth, look.elevation].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
  ];
  const way = [Math.sin(turn) * Math.cos(rise), -Math.cos(turn) * Math.cos(rise), Math.sin(rise)] as const;
  return cells.filter(({ x, y, z }) => !meet([x + 0.5, y + 0.5, z + 0.5], way, taken)).length;
}

/** The look as it is while half of the cells are seen; else from the side that sees most of them. */
export function sighted(
  look: Look,
  cells: readonly Point[],
  taken: (cell: Point) => boolean,
  narrow: boolean,
): Look {
  if (2 * seen(cells, taken, look) >= cells.length) return look;
  let best = look;
  for (const side of "senw") {
    const other = from(side, narrow);
    if (seen(cells, taken, other) > seen(cells, taken, best)) best = other;
  }
  return best;
}
