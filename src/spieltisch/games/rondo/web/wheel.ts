/** Where the fields of a board lie: all lengths in field widths, angles in degrees clockwise from north. */
import builtIn from "../board.json";
import type { RondoView } from "#web/api/types";
import { measured } from "./measure";
import { spread } from "./spread";
import { crossings, stressed } from "./stress";
import { CENTRE } from "./stones";

export interface Spot {
  x: number;
  y: number;
}

export interface Bar {
  turn: number;
  inner: number;
  outer: number;
}

export interface Plan {
  spots: ReadonlyMap<string, Spot>;
  near: Near;
  links: readonly (readonly [string, string])[];
  /** Rings and bars of a wheel; null for a board of another shape, whose wood follows its links. */
  wheel: { rings: { radius: number; wood: number }[]; bars: Bar[] } | null;
  width: number;
  height: number;
  hub: number;
}

export type Near = ReadonlyMap<string, readonly string[]>;

export interface Document {
  cells: readonly string[];
  adjacency: Readonly<Record<string, readonly string[]>>;
  positions?: Readonly<Record<string, readonly [number, number]>>;
}

const RADII = { A: 1.3, I: 2.55, K: 3.8, O: 5.1 } as const;
const STEPS = { I: 22.5, K: 22.5, O: 11.25 } as const;
const ARMS = "NESW";
const MARGIN = 0.85;
const HUB = 0.8;
const BESIDE_HUB = 0.48;

export function polar(radius: number, degrees: number): Spot {
  const turn = (degrees * Math.PI) / 180;
  return { x: radius * Math.sin(turn), y: -radius * Math.cos(turn) };
}

export const turnOf = ({ x, y }: Spot): number => (Math.atan2(x, -y) * 180) / Math.PI;

/** The place of a field on the wheel by its name; null for another name. */
export function wheelSpot(name: string): { radius: number; turn: number } | null {
  const found = /^(?:A([NESW])|([IKO])(0|[1-9]\d?))$/.exec(name);
  if (!found) return null;
  if (found[1]) return { radius: RADII.A, turn: ARMS.indexOf(found[1]) * 90 };
  const ring = found[2] as "I" | "K" | "O";
  const turn = Number(found[3]) * STEPS[ring];
  return turn < 360 ? { radius: RADII[ring], turn } : null;
}

/** Whether a field lies on the outer ring, which grey tiles follow. */
export const onRim = (name: string): boolean => wheelSpot(name)?.radius === RADII.O;

function wheelOf(document: Document): Pick<Plan, "spots" | "wheel" | "width" | "height"> | null {
  const places = document.cells.map((name) => [name, wheelSpot(name)] as const);
  const spots = new Map<string, Spot>([[CENTRE, { x: 0, y: 0 }]]);
  for (const [name, place] of places) {
    if (!place) return null;
    spots.set(name, polar(place.radius, place.turn));
  }
  const has = (letter: string): boolean => document.cells.some((name) => name.startsWith(letter));
  const [inner, outer] = [has("I"), has("O")];
  const rings = [
    ...(outer ? [{ radius: RADII.O, wood: 1.46 }] : []),
    ...(inner ? [{ radius: RADII.I, wood: 1.26 }] : []),
  ];
  const bars = places.flatMap(([name, place]) => {
    if (name.startsWith("A")) return [{ turn: place!.turn, inner: 0.6, outer: inner ? RADII.I : 1.8 }];
    if (name.startsWith("K"))
      return [{ turn: place!.turn, inner: inner ? RADII.I : 3.3, outer: outer ? RADII.O : 4.3 }];
    return [];
  });
  const size = outer ? 11.9 : 9;
  return { spots, wheel: { rings, bars }, width: size, height: size };
}

/** Fields where the board itself says that they lie, drawn to our measure and about their middle. */
function given(document: Document): Map<string, Spot> | null {
  const { positions, cells } = document;
  if (!positions || !cells.every((name) => Array.isArray(positions[name]))) return null;
  const [cx, cy] = positions[CENTRE] ?? [0, 0];
  const raw = new Map<string, Spot>([[CENTRE, { x: 0, y: 0 }]]);
  for (const name of cells) raw.set(name, { x: positions[name]![0] - cx, y: positions[name]![1] - cy });
  const all = [...raw.values()];
  if (!all.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) return null;
  return measured(raw);
}

/** Fields of a board that says nothing of them: by rings, or by their steps where rings would tangle the links. */
function found(near: Near, links: Plan["links"]): Map<string, Spot> {
  const rings = spread(near);
  const tangled = crossings(links, rings);
  const steps = tangled ? measured(stressed(near, rings)) : null;
  return steps && crossings(links, steps, tangled) < tangled ? steps : rings;
}

/** Spots moved so that the middle of all is at zero, with the size of the whole. */
function framed(spots: Map<string, Spot>): Pick<Plan, "spots" | "width" | "height"> {
  const xs = [...spots.values()].map(({ x }) => x);
  const ys = [...spots.values()].map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [mx, my] = [(left + right) / 2, (top + bottom) / 2];
  return {
    spots: new Map([...spots].map(([name, { x, y }]) => [name, { x: x - mx, y: y - my }])),
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
  };
}

/** The radius of the hub: smaller where fields come near to it. */
function hubOf(spots: ReadonlyMap<string, Spot>): number {
  const { x, y } = spots.get(CENTRE)!;
  const others = [...spots].filter(([name]) => name !== CENTRE);
  return Math.min(HUB, ...others.map(([, spot]) => Math.hypot(spot.x - x, spot.y - y) - BESIDE_HUB));
}

export function planFor(document: Document): Plan {
  const near = new Map(Object.entries(document.adjacency));
  const links = [...near].flatMap(([from, all]) =>
    all.filter((to) => from < to).map((to) => [from, to] as const),
  );
  const positioned = given(document);
  const shape = positioned
    ? { ...framed(positioned), wheel: null }
    : (wheelOf(document) ?? { ...framed(found(near, links)), wheel: null });
  return { ...shape, near, links, hub: hubOf(shape.spots) };
}

export const spotOf = (plan: Plan, name: string): Spot => plan.spots.get(name) ?? { x: 0, y: 0 };

const plans = new Map<string, Plan>();

/** The plan of the board that a game is played on. */
export function planOf(view: RondoView): Plan {
  const text = view.setup.options.find(([name]) => name === "board")?.[1] ?? "";
  let plan = plans.get(text);
  if (!plan) plans.set(text, (plan = planFor(text ? (JSON.parse(text) as Document) : builtIn)));
  return plan;
}
