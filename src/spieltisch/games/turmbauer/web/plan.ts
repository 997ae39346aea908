/** The tower from above, square by square: of one floor, or of all with what lies on top. */
import type { Colour } from "#web/art/palette";
import type { Choosing } from "./choosing";
import { colourOf, heightOf, keyOf, type Cube, type Goal, type Point } from "./tower";

export interface Square {
  readonly x: number;
  readonly y: number;
  /** What is seen there, and whether it lies lower than the floor that is looked at. */
  readonly cube: Cube | null;
  readonly below: boolean;
  readonly height: number;
  readonly pawn: Colour | null;
  /** The places of the stone in the hand that take up the square, or the move that leads onto it. */
  readonly fits: number;
  readonly goal: Goal | null;
  readonly shown: "stone" | "goal" | "trail" | null;
}

export interface Plan {
  readonly west: number;
  readonly north: number;
  readonly columns: number;
  readonly rows: Square[][];
}

const LEAST = 5; // squares each way

/** The plan of a floor, counted from 1; null for the view from above. */
export function planOf(now: Choosing, floor: number | null, trail: readonly (Point | null)[]): Plan {
  const cubes = [...now.cubes.values()];
  const shown = now.now?.cells ?? now.view.place;
  const reach: Point[] = [...cubes, ...shown];
  for (const { cells } of now.fits) reach.push(...cells);
  const [west, east] = span(reach.map(({ x }) => x));
  const [south, north] = span(reach.map(({ y }) => y));
  const z = floor === null ? null : floor - 1;
  const tops = new Map<string, Cube>();
  for (const cube of cubes) {
    const at = `${cube.x},${cube.y}`;
    if ((z === null || cube.z <= z) && cube.z >= (tops.get(at)?.z ?? -1)) tops.set(at, cube);
  }
  const fits = countFits(now, z);
  const goals = new Map<string, Goal>();
  for (const goal of now.goals) {
    const at = goal.field ? `${goal.field.x},${goal.field.y}` : "table";
    if (z === null || goal.field?.z === z || !goal.field) if (!goals.has(at)) goals.set(at, goal);
  }
  const onFloor = (cell: Point | null): cell is Point => cell !== null && (z === null || cell.z === z);
  const at = (cells: readonly (Point | null)[]): Set<string> =>
    new Set(cells.filter(onFloor).map(({ x, y }) => `${x},${y}`));
  const [stone, way] = [at(shown), at(trail)];
  const pawns = new Map<string, Colour>(
    now.view.sides.flatMap(({ pawn, colour }) =>
      onFloor(pawn) ? [[`${pawn.x},${pawn.y}`, colourOf(colour)] as const] : [],
    ),
  );
  const rows: Square[][] = [];
  for (let y = north; y >= south; y--) {
    const row: Square[] = [];
    for (let x = west; x <= east; x++) {
      const key = `${x},${y}`;
      const cube = tops.get(key) ?? null;
      const goal = goals.get(key) ?? (cube ? null : (goals.get("table") ?? null));
      const aimed = now.goal?.field && onFloor(now.goal.field) ? keyOf({ ...now.goal.field, z: 0 }) : null;
      row.push({
        x,
        y,
        cube,
        below: z !== null && (cube?.z ?? -1) < z,
        height: heightOf(cube),
        pawn: pawns.get(key) ?? null,
        fits: fits.get(key) ?? 0,
        goal,
        shown: stone.has(key)
          ? "stone"
          : aimed === keyOf({ x, y, z: 0 })
            ? "goal"
            : way.has(key)
              ? "trail"
              : null,
      });
    }
    rows.push(row);
  }
  return { west, north, columns: east - west + 1, rows };
}

function span(numbers: readonly number[]): [number, number] {
  let [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  while (high - low + 1 < LEAST) {
    if ((high - low) % 2) high++;
    else low--;
  }
  return [low, high];
}

function countFits({ fits }: Choosing, z: number | null): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { cells } of fits) {
    const squares = new Set(
      cells.filter((cell) => z === null || cell.z === z).map(({ x, y }) => `${x},${y}`),
    );
    for (const square of squares) counted.set(square, (counted.get(square) ?? 0) + 1);
  }
  return counted;
}
