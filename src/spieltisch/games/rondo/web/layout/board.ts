/** Layout of a board: the positions of its fields, in field widths. */
import builtIn from "../../board.json";
import { CENTRE, type View } from "../view";
import { countCrossings } from "./crossings";
import type { BoardGraph, Link, Neighbours, Point } from "./graph";
import { layoutRings } from "./rings";
import { normalizeSpacing } from "./spacing";
import { majorizeStress } from "./stress";
import { layoutWheel, type Wheel } from "./wheel";

export interface Layout {
  spots: ReadonlyMap<string, Point>;
  neighbours: Neighbours;
  links: readonly Link[];
  /** The wood of a wheel; null for a board of another shape, whose wood follows its links. */
  wheel: Wheel | null;
  width: number;
  height: number;
  hubRadius: number;
}

const MARGIN = 0.85;
const HUB_RADIUS = 0.8;
const HUB_CLEARANCE = 0.48;

/** The positions that a board file gives, scaled to our spacing; null if they are missing or invalid. */
function layoutFromFile({ positions, cells }: BoardGraph): Map<string, Point> | null {
  if (!positions || !cells.every((name) => Array.isArray(positions[name]))) return null;
  const [cx, cy] = positions[CENTRE] ?? [0, 0];
  const raw = new Map<string, Point>([[CENTRE, { x: 0, y: 0 }]]);
  for (const name of cells) raw.set(name, { x: positions[name]![0] - cx, y: positions[name]![1] - cy });
  const all = [...raw.values()];
  if (!all.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) return null;
  return normalizeSpacing(raw);
}

/** Lays out a graph without positions: in rings, or by stress majorization if that has fewer crossings. */
function layoutGraph(neighbours: Neighbours, links: readonly Link[]): Map<string, Point> {
  const rings = layoutRings(neighbours);
  const crossings = countCrossings(links, rings);
  const stress = crossings ? normalizeSpacing(majorizeStress(neighbours, rings)) : null;
  return stress && countCrossings(links, stress, crossings) < crossings ? stress : rings;
}

/** Translates the bounding box to the origin; returns its size, too. */
function centre(spots: Map<string, Point>): Pick<Layout, "spots" | "width" | "height"> {
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

/** The radius of the hub, which is smaller if fields are close to it. */
function hubRadius(spots: ReadonlyMap<string, Point>): number {
  const { x, y } = spots.get(CENTRE)!;
  const others = [...spots].filter(([name]) => name !== CENTRE);
  return Math.min(
    HUB_RADIUS,
    ...others.map(([, spot]) => Math.hypot(spot.x - x, spot.y - y) - HUB_CLEARANCE),
  );
}

/** Lays out a board: by the positions in its file, as a wheel, or as a graph. */
export function layoutBoard(graph: BoardGraph): Layout {
  const neighbours = new Map(Object.entries(graph.adjacency));
  const links = [...neighbours].flatMap(([from, all]) =>
    all.filter((to) => from < to).map((to) => [from, to] as const),
  );
  const given = layoutFromFile(graph);
  const shape = given
    ? { ...centre(given), wheel: null }
    : (layoutWheel(graph) ?? { ...centre(layoutGraph(neighbours, links)), wheel: null });
  return { ...shape, neighbours, links, hubRadius: hubRadius(shape.spots) };
}

export const spotOf = (layout: Layout, name: string): Point => layout.spots.get(name) ?? { x: 0, y: 0 };

const cache = new Map<string, Layout>();

/** The layout of the board that a game is played on. */
export function layoutOf(view: View): Layout {
  const text = view.setup.options.find(([name]) => name === "board")?.[1] ?? "";
  let layout = cache.get(text);
  if (!layout) cache.set(text, (layout = layoutBoard(text ? (JSON.parse(text) as BoardGraph) : builtIn)));
  return layout;
}
