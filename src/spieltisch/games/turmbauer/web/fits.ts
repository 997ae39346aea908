/** Finding a place for a stone among those that the server names: on a face, turned, tipped, a cell further. */
import type { Choice } from "#web/api/types";
import { keyOf, moved, placeOf, placeText, type Point } from "./tower";

/** A place that can be chosen. The first of the narrowed choices is the one that is shown. */
export interface Fit {
  readonly choice: Choice;
  readonly cells: readonly Point[];
}

const known = new WeakMap<readonly Choice[], Fit[]>();

/** The places among the choices. */
export function fitsOf(choices: readonly Choice[]): Fit[] {
  let found = known.get(choices);
  if (!found) {
    found = choices.flatMap((choice) => {
      const cells = placeOf(choice.text);
      return cells ? [{ choice, cells }] : [];
    });
    known.set(choices, found);
  }
  return found;
}

/** Whether a place takes up a cell. */
export const holds = ({ cells }: Fit, { x, y, z }: Point): boolean =>
  cells.some((cell) => cell.x === x && cell.y === y && cell.z === z);

/** How many of the cells lie on a cube or on the table. */
export function carried(cells: readonly Point[], taken: ReadonlySet<string>): number {
  return cells.filter(({ x, y, z }) => z === 0 || taken.has(keyOf({ x, y, z: z - 1 }))).length;
}

/** The places in the order in which they are gone through: well carried and low ones first. */
export function ranked(fits: readonly Fit[], taken: ReadonlySet<string>): Fit[] {
  const worth = (fit: Fit): number =>
    carried(fit.cells, taken) * 8 - Math.max(...fit.cells.map(({ z }) => z)) * 2;
  return fits
    .map((fit) => ({ fit, worth: worth(fit) }))
    .sort((one, other) => other.worth - one.worth || (one.fit.choice.text < other.fit.choice.text ? -1 : 1))
    .map(({ fit }) => fit);
}

/** The places that take up a cell, best first. */
export function fitsAt(fits: readonly Fit[], cell: Point, taken: ReadonlySet<string>): Fit[] {
  return ranked(
    fits.filter((fit) => holds(fit, cell)),
    taken,
  );
}

/** The places over a square of the plan: those upon what lies there now before those below it. */
export function fitsOver(fits: readonly Fit[], x: number, y: number, taken: ReadonlySet<string>): Fit[] {
  const levels = new Set(
    fits.flatMap(({ cells }) => cells.filter((one) => one.x === x && one.y === y).map(({ z }) => z)),
  );
  const carries = (z: number): boolean => z === 0 || taken.has(keyOf({ x, y, z: z - 1 }));
  const level = [...levels].sort((a, b) => Number(carries(b)) - Number(carries(a)) || b - a)[0];
  return level === undefined ? [] : fitsAt(fits, { x, y, z: level }, taken);
}

/** The cell that a stone is held by while it is turned: the one all the places share, or a carried one. */
export function anchorOf(meant: readonly Fit[], taken: ReadonlySet<string>): Point | null {
  const [first, ...rest] = meant;
  if (!first) return null;
  const shared = first.cells.filter((cell) => rest.every((fit) => holds(fit, cell)));
  const among = shared.length ? shared : first.cells;
  return among.find((cell) => carried([cell], taken)) ?? among[0] ?? null;
}

/** The fit that is shown comes first, the others after it in their order. */
export function leading(fits: readonly Fit[], first: Fit): Choice[] {
  return [first, ...fits.filter((fit) => fit.choice !== first.choice)].map(({ choice }) => choice);
}

/** The one after or before the first of them, in their order, round and round. */
export function neighbour(meant: readonly Fit[], by: 1 | -1, taken: ReadonlySet<string>): Fit | null {
  const order = ranked(meant, taken);
  const at = order.findIndex(({ choice }) => choice === meant[0]?.choice);
  return order[(at + by + order.length) % order.length] ?? null;
}

/** Which of them is shown, counted from 1. */
export function numberOf(meant: readonly Fit[], taken: ReadonlySet<string>): number {
  return 1 + ranked(meant, taken).findIndex(({ choice }) => choice === meant[0]?.choice);
}

type Turn = (cell: Point) => Point;
const QUARTER: Turn = ({ x, y, z }) => ({ x: -y, y: x, z });
const OVER: Turn = ({ x, y, z }) => ({ x, y: -z, z: y });

const about = (cells: readonly Point[], pivot: Point, turn: Turn): Point[] =>
  cells.map((cell) => moved(turn(moved(cell, negative(pivot))), pivot));
const negative = ({ x, y, z }: Point): Point => ({ x: -x, y: -y, z: -z });

/** What the cells look like wherever they lie. */
function shapeOf(cells: readonly Point[]): string {
  const low = (axis: keyof Point): number => Math.min(...cells.map((cell) => cell[axis]));
  const corner = negative({ x: low("x"), y: low("y"), z: low("z") });
  return placeText(cells.map((cell) => moved(cell, corner)));
}

const ORIGIN: Point = { x: 0, y: 0, z: 0 };

/** What the cells look like from every side: the same however the stone is turned upright. */
function stanceOf(cells: readonly Point[]): string {
  const shapes: string[] = [];
  let turned = [...cells];
  for (let quarter = 0; quarter < 4; quarter++) {
    shapes.push(shapeOf(turned));
    turned = about(turned, ORIGIN, QUARTER);
  }
  return shapes.sort()[0]!;
}

const gap = (one: readonly Point[], other: readonly Point[]): number => {
  const middle = (cells: readonly Point[], axis: keyof Point): number =>
    cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length;
  const along = (axis: keyof Point): number => middle(one, axis) - middle(other, axis);
  return along("x") ** 2 + along("y") ** 2 + along("z") ** 2;
};

function nearest(fits: readonly Fit[], cells: readonly Point[]): Fit | null {
  let best: Fit | null = null;
  for (const fit of fits) if (!best || gap(fit.cells, cells) < gap(best.cells, cells)) best = fit;
  return best;
}

/** What a gesture leads to: a place, or cells whose refusal says why there is none. */
export type Found = { fit: Fit } | { no: string };

/** A quarter turn, or as many as it takes to fit again, held by one cell. */
export function turned(here: readonly Fit[], now: Fit, anchor: Point): Found {
  let wanted = [...now.cells];
  const tried: string[] = [];
  for (let quarter = 1; quarter < 4; quarter++) {
    wanted = about(wanted, anchor, QUARTER);
    if (shapeOf(wanted) === shapeOf(now.cells)) continue;
    tried.push(placeText(wanted));
    const fit = nearest(
      here.filter(({ cells }) => shapeOf(cells) === shapeOf(wanted)),
      wanted,
    );
    if (fit) return { fit };
  }
  return { no: tried[0] ?? "" };
}

/** Onto another of its sides, held by one cell. */
export function tipped(here: readonly Fit[], now: Fit, anchor: Point): Found {
  const stances = [...new Set([...here, now].map(({ cells }) => stanceOf(cells)))].sort();
  const next = stances[(stances.indexOf(stanceOf(now.cells)) + 1) % stances.length]!;
  const over = about(now.cells, anchor, OVER);
  if (next === stanceOf(now.cells))
    return { no: shapeOf(over) === shapeOf(now.cells) ? "" : placeText(over) };
  return {
    fit: nearest(
      here.filter(({ cells }) => stanceOf(cells) === next),
      over,
    )!,
  };
}

const FARTHEST = 8;
const LEVELS = [0, 1, -1, 2, -2, 3, -3];

/** As the stone lies now, a cell further that way; over what is in its way, and onto another floor if need be. */
export function shifted(fits: readonly Fit[], now: Fit, by: Point): Found {
  const texts = new Map(fits.map((fit) => [fit.choice.text, fit]));
  const at = (far: number, up: number): string =>
    placeText(now.cells.map((cell) => moved(cell, { x: by.x * far, y: by.y * far, z: by.z * far + up })));
  for (let far = 1; far <= FARTHEST; far++)
    for (const up of by.z ? [0] : LEVELS) {
      const fit = texts.get(at(far, up));
      if (fit) return { fit };
    }
  return { no: at(1, 0) };
}
