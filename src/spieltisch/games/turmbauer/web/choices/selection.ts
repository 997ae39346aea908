/** Selection of a stone, a placement or a pawn move, shared by board and tray. Its only state are the narrowed choices. */
import type { Choice } from "#web/api/types";
import type { BoardProps } from "#web/games/props";
import {
  cellKey,
  heightOn,
  indexCubes,
  isSameCell,
  towerCubes,
  translate,
  type Cell,
  type Cube,
  type View,
} from "../view";
import { parseDestinations, type Destination } from "./notation";
import { findPath } from "./path";
import {
  adjacentPlacement,
  choicesLedBy,
  parsePlacements,
  pivotOf,
  placementsAt,
  placementsOver,
  rankOfFirst,
  rankPlacements,
  shiftPlacement,
  tipPlacement,
  turnPlacement,
  type Manipulated,
  type Placement,
} from "./placements";

export interface Selection {
  readonly view: View;
  readonly cubes: ReadonlyMap<string, Cube>;
  readonly occupied: ReadonlySet<string>;
  /** All placements of the stone, those still meant, and the one that is previewed. */
  readonly placements: readonly Placement[];
  readonly candidates: readonly Placement[];
  readonly placement: Placement | null;
  /** The pawn moves for the selected ring, or without a ring, and the one that is previewed. */
  readonly destinations: readonly Destination[];
  readonly destination: Destination | null;
}

export function readSelection(props: BoardProps): Selection {
  const view = props.view as View;
  const cubes = indexCubes(towerCubes(view));
  const candidates = parsePlacements(props.narrowed ?? []);
  const narrowed = parseDestinations(props.narrowed ?? []);
  const ring = narrowed[0]?.ring ?? "";
  return {
    view,
    cubes,
    occupied: new Set(cubes.keys()),
    placements: parsePlacements(props.choices),
    candidates,
    placement: candidates[0] ?? null,
    destinations: parseDestinations(props.choices)
      .filter((one) => one.ring === ring)
      .sort(highestFirst),
    destination: narrowed.length === 1 ? narrowed[0]! : null,
  };
}

const highestFirst = ({ field: one }: Destination, { field: other }: Destination): number =>
  heightOn(other) - heightOn(one) || (other?.y ?? 0) - (one?.y ?? 0) || (one?.x ?? 0) - (other?.x ?? 0);

/** How a stone is taken from the stock: by the dice, with a ring, or for the box. */
export type StoneMode = "dice" | "ring" | "box";

export function stoneMode({ narrowed }: BoardProps): StoneMode {
  const first = narrowed?.[0]?.text ?? "";
  return first.startsWith("box ") ? "box" : /^a\d/.test(first) ? "ring" : "dice";
}

/** The choices that take a stone in a given mode. */
export const stoneChoices = (choices: readonly Choice[], mode: StoneMode): Choice[] =>
  choices.filter(({ text }) =>
    mode === "box" ? text.startsWith("box ") : mode === "ring" ? /^a\d/.test(text) : /^\d[a-z]+$/.test(text),
  );

/** The field of the pawn whose turn it is; null on the table. */
const ownField = (view: View): Cell | null =>
  view.sides.find(({ colour }) => colour === view.colour)?.pawn ?? null;

/** The path of the previewed pawn move; empty if it costs a ring. */
export function previewPath({ view, destinations, destination, occupied }: Selection): (Cell | null)[] {
  if (!destination || destination.ring) return [];
  const reachable = destinations.map(({ field }) => field);
  return findPath(ownField(view), destination.field, reachable, occupied);
}

/** Sends an illegal choice, since the refusal says why it is illegal. */
function requestRefusal(props: BoardProps, text: string): void {
  if (text && !props.busy) props.choose(text);
}

// Placements.

function preview(
  props: BoardProps,
  { occupied }: Selection,
  candidates: readonly Placement[],
  first: Placement,
): void {
  props.narrow(choicesLedBy(first, rankPlacements(candidates, occupied)));
}

/** Selects a cell: previews the best placement there; if the cell was selected before, the next one. */
export function selectCell(props: BoardProps, cell: Cell): void {
  const selection = readSelection(props);
  previewAt(props, selection, placementsAt(selection.placements, cell, selection.occupied), cell);
}

/** Selects a square of the floor plan. */
export function selectSquare(props: BoardProps, x: number, y: number): void {
  const selection = readSelection(props);
  const { cubes, placements, occupied } = selection;
  const column = [...cubes.values()].filter((cube) => cube.x === x && cube.y === y).map(({ z }) => z);
  const top = { x, y, z: Math.max(-1, ...column) + 1 };
  previewAt(props, selection, placementsOver(placements, x, y, occupied), top);
}

function previewAt(props: BoardProps, selection: Selection, found: readonly Placement[], cell: Cell): void {
  const { placement, candidates, placements, occupied } = selection;
  const again =
    placement &&
    found.length === candidates.length &&
    found.some(({ choice }) => choice === placement.choice);
  if (again) return stepSelection(props, 1);
  if (found[0]) return preview(props, selection, found, found[0]);
  const pose = placement ?? placements[0];
  const pivot = pose && pivotOf([pose], occupied);
  if (!pose || !pivot) return;
  const by = translate(cell, { x: -pivot.x, y: -pivot.y, z: -pivot.z });
  requestRefusal(props, `@${pose.cells.map((one) => cellKey(translate(one, by))).join(";")}`);
}

/** Previews the next or previous candidate; the first or last of all if there is no preview yet. */
export function stepSelection(props: BoardProps, by: 1 | -1): void {
  const selection = readSelection(props);
  const { placements, candidates, placement, destinations, destination, occupied } = selection;
  if (placements.length) {
    const among = candidates.length ? candidates : rankPlacements(placements, occupied);
    const next = placement ? adjacentPlacement(among, by, occupied) : by > 0 ? among[0] : among.at(-1);
    if (next) preview(props, selection, among, next);
  } else if (destinations.length) {
    const at = destination
      ? destinations.findIndex(({ choice }) => choice === destination.choice)
      : by > 0
        ? -1
        : 0;
    props.narrow([destinations[(at + by + destinations.length) % destinations.length]!.choice]);
  }
}

/** The number of the previewed candidate, counted from 1, and how many there are; 0 without a preview. */
export function countSelection(selection: Selection): { number: number; total: number } {
  const { placements, candidates, placement, destinations, destination, occupied } = selection;
  if (placements.length)
    return {
      number: placement ? rankOfFirst(candidates, occupied) : 0,
      total: (placement ? candidates : placements).length,
    };
  const at = destinations.findIndex(({ choice }) => choice === destination?.choice);
  return { number: at + 1, total: destinations.length };
}

export type Manipulation = "turn" | "tip" | "north" | "east" | "south" | "west" | "up" | "down";

const DIRECTIONS: Readonly<Partial<Record<Manipulation, Cell>>> = {
  north: { x: 0, y: 1, z: 0 },
  east: { x: 1, y: 0, z: 0 },
  south: { x: 0, y: -1, z: 0 },
  west: { x: -1, y: 0, z: 0 },
  up: { x: 0, y: 0, z: 1 },
  down: { x: 0, y: 0, z: -1 },
};

/** Turns, tips or shifts the stone. */
export function manipulate(props: BoardProps, manipulation: Manipulation): void {
  const selection = readSelection(props);
  const { placements, candidates, placement, occupied } = selection;
  if (!placement) return stepSelection(props, 1);
  const pivot = pivotOf(candidates, occupied)!;
  const atPivot = placementsAt(placements, pivot, occupied);
  const direction = DIRECTIONS[manipulation];
  const result: Manipulated = direction
    ? shiftPlacement(placements, placement, direction)
    : manipulation === "turn"
      ? turnPlacement(atPivot, placement, pivot)
      : tipPlacement(atPivot, placement, pivot);
  if ("illegal" in result) return requestRefusal(props, result.illegal);
  const newPivot = direction ? pivotOf([result.placement], occupied)! : pivot;
  preview(props, selection, placementsAt(placements, newPivot, occupied), result.placement);
}

/** Previews what a hint suggests: the stone at its place, the pawn on its field, or how a stone is taken. */
export function previewHint(props: BoardProps): void {
  const selection = readSelection(props);
  const { placements, occupied } = selection;
  const placement = placements.find(({ choice }) => choice.text === props.hint);
  const move = parseDestinations(props.choices).find(({ choice }) => choice.text === props.hint);
  const mode = (["ring", "box"] as const).find((one) =>
    stoneChoices(props.choices, one).some(({ text }) => text === props.hint),
  );
  if (placement) {
    const pivot = pivotOf([placement], occupied);
    preview(props, selection, pivot ? placementsAt(placements, pivot, occupied) : [placement], placement);
  } else if (move) props.narrow([move.choice]);
  else if (mode) props.narrow(stoneChoices(props.choices, mode));
}

// Pawn moves.

/** Selects a field, or null for the table: previews the path; if it was selected before, moves the pawn. */
export function selectField(props: BoardProps, field: Cell | null): void {
  if (props.busy) return;
  const { view, destinations, destination } = readSelection(props);
  const isThere = (one: Destination): boolean => isSameCell(one.field, field);
  const found = destinations.find(isThere) ?? parseDestinations(props.choices).find(isThere);
  if (!found) {
    if (!isSameCell(field, ownField(view)))
      requestRefusal(props, field ? `>${field.x},${field.y},${field.z + 1}` : ">table");
  } else if (found.choice === destination?.choice) props.choose(found.choice.text);
  else props.narrow([found.choice]);
}

/** Chooses what is previewed: builds the stone, or moves the pawn. */
export function confirmSelection(props: BoardProps): void {
  const { placement, destination } = readSelection(props);
  const text = placement?.choice.text ?? destination?.choice.text;
  if (text && !props.busy) props.choose(text);
}
