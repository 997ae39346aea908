/** Layout of the floor plan: a grid of squares seen from above, of one floor or of the whole tower. */
import type { Colour } from "#web/art/palette";
import type { Destination } from "./choices/notation";
import type { Selection } from "./choices/selection";
import { colourOf, heightOn, type Cell, type Cube } from "./view";

export interface Square {
  readonly x: number;
  readonly y: number;
  /** The visible cube, and whether it lies below the selected floor. */
  readonly cube: Cube | null;
  readonly below: boolean;
  readonly height: number;
  readonly pawn: Colour | null;
  /** The number of placements that cover the square. */
  readonly placements: number;
  /** The pawn move that leads onto it. */
  readonly destination: Destination | null;
  /** The part of a preview that covers the square. */
  readonly preview: "stone" | "goal" | "trail" | null;
}

export interface FloorPlan {
  readonly west: number;
  readonly north: number;
  readonly columns: number;
  readonly rows: Square[][];
}

const MIN_SQUARES = 5; // per side

const squareKey = ({ x, y }: { x: number; y: number }): string => `${x},${y}`;

/** Lays out the plan of a floor, counted from 1, or of the whole tower if the floor is null. */
export function layoutFloorPlan(
  selection: Selection,
  floor: number | null,
  path: readonly (Cell | null)[],
): FloorPlan {
  const cubes = [...selection.cubes.values()];
  const stone = selection.placement?.cells ?? selection.view.place;
  const extent: Cell[] = [...cubes, ...stone];
  for (const { cells } of selection.placements) extent.push(...cells);
  const [west, east] = range(extent.map(({ x }) => x));
  const [south, north] = range(extent.map(({ y }) => y));
  const squareAt = squareReader(selection, floor === null ? null : floor - 1, stone, path);
  const rows: Square[][] = [];
  for (let y = north; y >= south; y--) {
    const row: Square[] = [];
    for (let x = west; x <= east; x++) row.push(squareAt(x, y));
    rows.push(row);
  }
  return { west, north, columns: east - west + 1, rows };
}

/** Indexes everything on a floor by square; returns a lookup. */
function squareReader(
  selection: Selection,
  z: number | null,
  stone: readonly Cell[],
  path: readonly (Cell | null)[],
): (x: number, y: number) => Square {
  const isOnFloor = (cell: Cell | null): cell is Cell => cell !== null && (z === null || cell.z === z);
  const keys = (cells: readonly (Cell | null)[]): Set<string> =>
    new Set(cells.filter(isOnFloor).map(squareKey));
  const tops = topCubes([...selection.cubes.values()], z);
  const placements = countPlacements(selection, z);
  const destinations = indexDestinations(selection, isOnFloor);
  const [stoneKeys, pathKeys, goalKeys] = [
    keys(stone),
    keys(path),
    keys([selection.destination?.field ?? null]),
  ];
  const pawns = new Map<string, Colour>(
    selection.view.sides.flatMap(({ pawn, colour }) =>
      isOnFloor(pawn) ? [[squareKey(pawn), colourOf(colour)] as const] : [],
    ),
  );
  return (x, y) => {
    const key = squareKey({ x, y });
    const cube = tops.get(key) ?? null;
    return {
      x,
      y,
      cube,
      below: z !== null && (cube?.z ?? -1) < z,
      height: heightOn(cube),
      pawn: pawns.get(key) ?? null,
      placements: placements.get(key) ?? 0,
      destination: destinations.get(key) ?? (cube ? null : (destinations.get("table") ?? null)),
      preview: stoneKeys.has(key) ? "stone" : goalKeys.has(key) ? "goal" : pathKeys.has(key) ? "trail" : null,
    };
  };
}

/** The highest cube of every square, up to a floor. */
function topCubes(cubes: readonly Cube[], z: number | null): Map<string, Cube> {
  const tops = new Map<string, Cube>();
  for (const cube of cubes) {
    const key = squareKey(cube);
    if ((z === null || cube.z <= z) && cube.z >= (tops.get(key)?.z ?? -1)) tops.set(key, cube);
  }
  return tops;
}

function indexDestinations(
  { destinations }: Selection,
  isOnFloor: (cell: Cell | null) => boolean,
): Map<string, Destination> {
  const found = new Map<string, Destination>();
  for (const destination of destinations) {
    const { field } = destination;
    const key = field ? squareKey(field) : "table";
    if ((!field || isOnFloor(field)) && !found.has(key)) found.set(key, destination);
  }
  return found;
}

function countPlacements({ placements }: Selection, z: number | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { cells } of placements) {
    const squares = new Set(cells.filter((cell) => z === null || cell.z === z).map(squareKey));
    for (const square of squares) counts.set(square, (counts.get(square) ?? 0) + 1);
  }
  return counts;
}

/** The range of some numbers, widened to the least number of squares. */
function range(numbers: readonly number[]): [number, number] {
  let [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  while (high - low + 1 < MIN_SQUARES) {
    if ((high - low) % 2) high++;
    else low--;
  }
  return [low, high];
}
