/** Placements of a stone: search among those that the server offers by cell, rotation and shift. */
import type { Choice } from "#web/api/types";
import { cellKey, translate, type Cell } from "../view";
import { formatCells, parseCells } from "./notation";

export interface Placement {
  readonly choice: Choice;
  readonly cells: readonly Cell[];
}

const cache = new WeakMap<readonly Choice[], Placement[]>();

/** Parses the placements among the choices. */
export function parsePlacements(choices: readonly Choice[]): Placement[] {
  let placements = cache.get(choices);
  if (!placements) {
    placements = choices.flatMap((choice) => {
      const cells = parseCells(choice.text);
      return cells ? [{ choice, cells }] : [];
    });
    cache.set(choices, placements);
  }
  return placements;
}

/** Whether a placement includes a cell. */
export const includesCell = ({ cells }: Placement, { x, y, z }: Cell): boolean =>
  cells.some((cell) => cell.x === x && cell.y === y && cell.z === z);

/** The number of cells that rest on a cube or on the table. */
function countSupported(cells: readonly Cell[], occupied: ReadonlySet<string>): number {
  return cells.filter(({ x, y, z }) => z === 0 || occupied.has(cellKey({ x, y, z: z - 1 }))).length;
}

/** Sorts placements: well supported and low ones come first. */
export function rankPlacements(placements: readonly Placement[], occupied: ReadonlySet<string>): Placement[] {
  const score = ({ cells }: Placement): number =>
    countSupported(cells, occupied) * 8 - Math.max(...cells.map(({ z }) => z)) * 2;
  return placements
    .map((placement) => ({ placement, text: placement.choice.text, score: score(placement) }))
    .sort((one, other) => other.score - one.score || (one.text < other.text ? -1 : 1))
    .map(({ placement }) => placement);
}

/** The placements that include a cell, best first. */
export function placementsAt(
  placements: readonly Placement[],
  cell: Cell,
  occupied: ReadonlySet<string>,
): Placement[] {
  return rankPlacements(
    placements.filter((placement) => includesCell(placement, cell)),
    occupied,
  );
}

/** The placements above a square of the floor plan: on the highest supported floor if there are any. */
export function placementsOver(
  placements: readonly Placement[],
  x: number,
  y: number,
  occupied: ReadonlySet<string>,
): Placement[] {
  const floors = new Set(
    placements.flatMap(({ cells }) => cells.filter((one) => one.x === x && one.y === y).map(({ z }) => z)),
  );
  const isSupported = (z: number): boolean => z === 0 || occupied.has(cellKey({ x, y, z: z - 1 }));
  const floor = [...floors].sort((a, b) => Number(isSupported(b)) - Number(isSupported(a)) || b - a)[0];
  return floor === undefined ? [] : placementsAt(placements, { x, y, z: floor }, occupied);
}

/** The pivot for rotations: a cell that all the placements share, a supported one if possible. */
export function pivotOf(placements: readonly Placement[], occupied: ReadonlySet<string>): Cell | null {
  const [first, ...rest] = placements;
  if (!first) return null;
  const shared = first.cells.filter((cell) => rest.every((placement) => includesCell(placement, cell)));
  const candidates = shared.length ? shared : first.cells;
  return candidates.find((cell) => countSupported([cell], occupied)) ?? candidates[0] ?? null;
}

/** The choices of some placements, with one of them moved to the front. */
export function choicesLedBy(first: Placement, placements: readonly Placement[]): Choice[] {
  return [first, ...placements.filter(({ choice }) => choice !== first.choice)].map(({ choice }) => choice);
}

/** The placement after or before the first one, by rank; the order wraps around. */
export function adjacentPlacement(
  placements: readonly Placement[],
  by: 1 | -1,
  occupied: ReadonlySet<string>,
): Placement | null {
  const ranked = rankPlacements(placements, occupied);
  const at = ranked.findIndex(({ choice }) => choice === placements[0]?.choice);
  return ranked[(at + by + ranked.length) % ranked.length] ?? null;
}

/** The rank of the first placement, counted from 1. */
export function rankOfFirst(placements: readonly Placement[], occupied: ReadonlySet<string>): number {
  return 1 + rankPlacements(placements, occupied).findIndex(({ choice }) => choice === placements[0]?.choice);
}

type Rotation = (cell: Cell) => Cell;
const QUARTER_TURN: Rotation = ({ x, y, z }) => ({ x: -y, y: x, z });
const TIP: Rotation = ({ x, y, z }) => ({ x, y: -z, z: y });
const ORIGIN: Cell = { x: 0, y: 0, z: 0 };

const negate = ({ x, y, z }: Cell): Cell => ({ x: -x, y: -y, z: -z });
const rotate = (cells: readonly Cell[], pivot: Cell, rotation: Rotation): Cell[] =>
  cells.map((cell) => translate(rotation(translate(cell, negate(pivot))), pivot));

/** A canonical form of the cells, up to translation. */
function orientationKey(cells: readonly Cell[]): string {
  const min = (axis: keyof Cell): number => Math.min(...cells.map((cell) => cell[axis]));
  const corner = negate({ x: min("x"), y: min("y"), z: min("z") });
  return formatCells(cells.map((cell) => translate(cell, corner)));
}

/** A canonical form of the cells, up to translation and quarter turns about the vertical axis. */
function stanceKey(cells: readonly Cell[]): string {
  const keys: string[] = [];
  let turned = [...cells];
  for (let quarter = 0; quarter < 4; quarter++) {
    keys.push(orientationKey(turned));
    turned = rotate(turned, ORIGIN, QUARTER_TURN);
  }
  return keys.sort()[0]!;
}

/** The squared distance between the centroids. */
const centroidDistance = (one: readonly Cell[], other: readonly Cell[]): number => {
  const mean = (cells: readonly Cell[], axis: keyof Cell): number =>
    cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length;
  const along = (axis: keyof Cell): number => mean(one, axis) - mean(other, axis);
  return along("x") ** 2 + along("y") ** 2 + along("z") ** 2;
};

function nearest(placements: readonly Placement[], cells: readonly Cell[]): Placement | null {
  let best: Placement | null = null;
  for (const one of placements)
    if (!best || centroidDistance(one.cells, cells) < centroidDistance(best.cells, cells)) best = one;
  return best;
}

/** The outcome of a manipulation: a placement, or the notation of an illegal one, whose refusal says why. */
export type Manipulated = { placement: Placement } | { illegal: string };

/** Rotates a placement about the vertical axis to the next quarter turn that is legal. */
export function turnPlacement(
  candidates: readonly Placement[],
  current: Placement,
  pivot: Cell,
): Manipulated {
  let wanted = [...current.cells];
  const tried: string[] = [];
  for (let quarter = 1; quarter < 4; quarter++) {
    wanted = rotate(wanted, pivot, QUARTER_TURN);
    if (orientationKey(wanted) === orientationKey(current.cells)) continue;
    tried.push(formatCells(wanted));
    const placement = nearest(
      candidates.filter(({ cells }) => orientationKey(cells) === orientationKey(wanted)),
      wanted,
    );
    if (placement) return { placement };
  }
  return { illegal: tried[0] ?? "" };
}

/** Tips a placement onto another of its sides. */
export function tipPlacement(candidates: readonly Placement[], current: Placement, pivot: Cell): Manipulated {
  const stance = stanceKey(current.cells);
  const stances = [...new Set([...candidates, current].map(({ cells }) => stanceKey(cells)))].sort();
  const next = stances[(stances.indexOf(stance) + 1) % stances.length]!;
  const tipped = rotate(current.cells, pivot, TIP);
  if (next === stance)
    return { illegal: orientationKey(tipped) === orientationKey(current.cells) ? "" : formatCells(tipped) };
  return {
    placement: nearest(
      candidates.filter(({ cells }) => stanceKey(cells) === next),
      tipped,
    )!,
  };
}

const MAX_SHIFT = 8; // cells
const FLOOR_OFFSETS = [0, 1, -1, 2, -2, 3, -3];

/** Shifts a placement by a cell; past obstacles, and to another floor if necessary. */
export function shiftPlacement(
  placements: readonly Placement[],
  current: Placement,
  direction: Cell,
): Manipulated {
  const byText = new Map(placements.map((placement) => [placement.choice.text, placement]));
  const shifted = (by: number, up: number): string =>
    formatCells(
      current.cells.map((cell) =>
        translate(cell, { x: direction.x * by, y: direction.y * by, z: direction.z * by + up }),
      ),
    );
  for (let by = 1; by <= MAX_SHIFT; by++)
    for (const up of direction.z ? [0] : FLOOR_OFFSETS) {
      const placement = byText.get(shifted(by, up));
      if (placement) return { placement };
    }
  return { illegal: shifted(1, 0) };
}
