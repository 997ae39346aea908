/** Outline of a stone as dots along its edges. */
import { cellKey, type Cell } from "../../view";
import { cellCentre, type Vector } from "./vector";

const DOTS = [0.125, 0.375, 0.625, 0.875]; // along an edge of length 1

/** The dots along all edges of a stone; where two of its cubes are flush there is no edge. */
export function outlineDots(cells: readonly Cell[]): Vector[] {
  const inside = new Set(cells.map(cellKey));
  const drawn = new Set<string>();
  const dots: Vector[] = [];
  for (const cell of cells)
    for (const axis of ["x", "y", "z"] as const) {
      const [a, b] = (["x", "y", "z"] as const).filter((other) => other !== axis) as ["x" | "y", "y" | "z"];
      for (const [da, db] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const corner = { ...cell, [a]: cell[a] + da - 0.5, [b]: cell[b] + db - 0.5 };
        const key = `${axis} ${cellKey(corner)}`;
        if (drawn.has(key)) continue;
        drawn.add(key);
        const has = (i: number, j: number): boolean =>
          inside.has(cellKey({ ...cell, [a]: corner[a] - 0.5 + i, [b]: corner[b] - 0.5 + j }));
        const around = [has(0, 0), has(1, 0), has(1, 1), has(0, 1)];
        const count = around.filter(Boolean).length;
        if (count === 4 || (count === 2 && around[0] !== around[2])) continue; // inside, or in a flat face
        for (const at of DOTS) dots.push(cellCentre({ ...corner, [axis]: cell[axis] - 0.5 + at }));
      }
    }
  return dots;
}
