/** What is being chosen, by board and tray alike: nothing of it is kept but the narrowed choices. */
import type { BoardProps } from "#web/games/props";
import type { Choice } from "#web/api/types";
import {
  anchorOf,
  fitsAt,
  fitsOf,
  fitsOver,
  leading,
  neighbour,
  numberOf,
  ranked,
  shifted,
  tipped,
  turned,
  type Fit,
  type Found,
} from "./fits";
import { byCell, cubesOf, goalsOf, heightOf, moved, readView, same } from "./tower";
import { type Cube, type Goal, type Point, type View } from "./tower";
import { wayTo } from "./way";

export type Mode = "dice" | "ring" | "box";

export interface Choosing {
  readonly view: View;
  readonly cubes: ReadonlyMap<string, Cube>;
  readonly taken: ReadonlySet<string>;
  /** The places of the stone, those still meant, and the one that is shown. */
  readonly fits: readonly Fit[];
  readonly meant: readonly Fit[];
  readonly now: Fit | null;
  /** Where the pawn may go as it is asked now, and where it is to go. */
  readonly goals: readonly Goal[];
  readonly goal: Goal | null;
}

export function choosing(props: BoardProps): Choosing {
  const view = readView(props.view);
  const cubes = byCell(cubesOf(view));
  const meant = fitsOf(props.narrowed ?? []);
  const all = goalsOf(props.choices);
  const pointed = goalsOf(props.narrowed ?? []);
  const ring = pointed[0]?.ring ?? "";
  return {
    view,
    cubes,
    taken: new Set(cubes.keys()),
    fits: fitsOf(props.choices),
    meant,
    now: meant[0] ?? null,
    goals: all.filter((goal) => goal.ring === ring).sort(fromTheTop),
    goal: pointed.length === 1 ? pointed[0]! : null,
  };
}

const fromTheTop = (one: Goal, other: Goal): number =>
  heightOf(other.field) - heightOf(one.field) ||
  (other.field?.y ?? 0) - (one.field?.y ?? 0) ||
  (one.field?.x ?? 0) - (other.field?.x ?? 0);

/** The stones that are asked for: by the dice, with a ring, or for the box. */
export function modeOf({ narrowed }: BoardProps): Mode {
  const first = narrowed?.[0]?.text ?? "";
  return first.startsWith("box ") ? "box" : /^a\d/.test(first) ? "ring" : "dice";
}

export const ofMode = (choices: readonly Choice[], mode: Mode): Choice[] =>
  choices.filter(({ text }) =>
    mode === "box" ? text.startsWith("box ") : mode === "ring" ? /^a\d/.test(text) : /^\d[a-z]+$/.test(text),
  );

/** The way that the pawn would take. */
export function trailOf({ view, goals, goal, taken }: Choosing): (Point | null)[] {
  const from = view.sides.find(({ colour }) => colour === view.colour)?.pawn ?? null;
  if (!goal || goal.ring) return [];
  return wayTo(
    from,
    goal.field,
    goals.map(({ field }) => field),
    taken,
  );
}

// Places.

function show(props: BoardProps, now: Choosing, fits: readonly Fit[], first: Fit): void {
  props.narrow(leading(ranked(fits, now.taken), first));
}

/** Asks for what cannot be, and so the sentence that says why. */
function refuse(props: BoardProps, text: string): void {
  if (text && !props.busy) props.choose(text);
}

/** A cell was pointed at: the stone snaps to the best place that takes it up; again, and it shows the next one. */
export function pointAtCell(props: BoardProps, cell: Point): void {
  const now = choosing(props);
  offer(props, now, fitsAt(now.fits, cell, now.taken), cell);
}

/** A square of the plan was pointed at. */
export function pointAtSquare(props: BoardProps, x: number, y: number): void {
  const now = choosing(props);
  const tops = [...now.cubes.values()].filter((cube) => cube.x === x && cube.y === y).map(({ z }) => z);
  offer(props, now, fitsOver(now.fits, x, y, now.taken), { x, y, z: Math.max(-1, ...tops) + 1 });
}

function offer(props: BoardProps, now: Choosing, found: readonly Fit[], cell: Point): void {
  const again =
    now.now && found.length === now.meant.length && found.some(({ choice }) => choice === now.now!.choice);
  if (again) return step(props, 1);
  if (found[0]) return show(props, now, found, found[0]);
  const pose = now.now ?? now.fits[0];
  const anchor = pose && anchorOf([pose], now.taken);
  if (!pose || !anchor) return;
  const by = moved(cell, { x: -anchor.x, y: -anchor.y, z: -anchor.z });
  refuse(
    props,
    `@${pose.cells
      .map((one) => moved(one, by))
      .map(({ x, y, z }) => `${x},${y},${z}`)
      .join(";")}`,
  );
}

/** The next or the previous of the places that are meant; the first of all where none is shown yet. */
export function step(props: BoardProps, by: 1 | -1): void {
  const now = choosing(props);
  if (now.fits.length) {
    const meant = now.meant.length ? now.meant : ranked(now.fits, now.taken);
    const fit = now.now ? neighbour(meant, by, now.taken) : by > 0 ? meant[0] : meant.at(-1);
    if (fit) show(props, now, meant, fit);
  } else if (now.goals.length) {
    const at = now.goal ? now.goals.findIndex(({ choice }) => choice === now.goal!.choice) : by > 0 ? -1 : 0;
    props.narrow([now.goals[(at + by + now.goals.length) % now.goals.length]!.choice]);
  }
}

/** Which of how many is shown; 0 for none. */
export function counted(now: Choosing): { number: number; all: number } {
  if (now.fits.length)
    return {
      number: now.now ? numberOf(now.meant, now.taken) : 0,
      all: (now.now ? now.meant : now.fits).length,
    };
  const at = now.goals.findIndex(({ choice }) => choice === now.goal?.choice);
  return { number: at + 1, all: now.goals.length };
}

export type Gesture = "turn" | "tip" | "north" | "east" | "south" | "west" | "up" | "down";

const WAYS: Readonly<Partial<Record<Gesture, Point>>> = {
  north: { x: 0, y: 1, z: 0 },
  east: { x: 1, y: 0, z: 0 },
  south: { x: 0, y: -1, z: 0 },
  west: { x: -1, y: 0, z: 0 },
  up: { x: 0, y: 0, z: 1 },
  down: { x: 0, y: 0, z: -1 },
};

/** Turns, tips or shifts the stone; where that cannot be, the sentence says why. */
export function handle(props: BoardProps, gesture: Gesture): void {
  const now = choosing(props);
  if (!now.now) return step(props, 1);
  const anchor = anchorOf(now.meant, now.taken)!;
  const here = fitsAt(now.fits, anchor, now.taken);
  const way = WAYS[gesture];
  const found: Found = way
    ? shifted(now.fits, now.now, way)
    : gesture === "turn"
      ? turned(here, now.now, anchor)
      : tipped(here, now.now, anchor);
  if ("no" in found) return refuse(props, found.no);
  const held = way ? anchorOf([found.fit], now.taken)! : anchor;
  show(props, now, fitsAt(now.fits, held, now.taken), found.fit);
}

// Moves.

/** A field or the table was pointed at: the way there is shown; again, and the pawn goes. */
export function pointAtField(props: BoardProps, field: Point | null): void {
  if (props.busy) return;
  const now = choosing(props);
  const goal =
    now.goals.find((one) => same(one.field, field)) ??
    goalsOf(props.choices).find((one) => same(one.field, field));
  if (!goal) {
    if (!same(field, ownField(now.view)))
      refuse(props, field ? `>${field.x},${field.y},${field.z + 1}` : ">table");
  } else if (goal.choice === now.goal?.choice) props.choose(goal.choice.text);
  else props.narrow([goal.choice]);
}

export const ownField = (view: View): Point | null =>
  view.sides.find(({ colour }) => colour === view.colour)?.pawn ?? null;

/** Builds where the stone is shown, or moves where the way leads. */
export function decide(props: BoardProps): void {
  const { now, goal } = choosing(props);
  const text = now?.choice.text ?? goal?.choice.text;
  if (text && !props.busy) props.choose(text);
}
