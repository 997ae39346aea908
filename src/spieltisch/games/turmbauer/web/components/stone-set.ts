/** Stone set: the shapes of all kinds of stones, from the built-in set or the table's own. */
import type { Paint } from "#web/art/palette";
import builtIn from "../../stones.json";
import type { Cube, View } from "../view";

interface StoneKind {
  cells: [number, number, number][];
  copies?: number;
  natural?: boolean;
}

export type StoneSet = Readonly<Record<string, StoneKind>>;

/** Parses a file of stones; null if it is none. */
export function parseStoneSet(text: string): StoneSet | null {
  try {
    const kinds = (JSON.parse(text) as { kinds?: StoneSet }).kinds;
    return kinds && typeof kinds === "object" ? kinds : null;
  } catch {
    return null;
  }
}

export const BUILT_IN = builtIn.kinds as unknown as StoneSet;

/** The stones that a game is played with. */
export function stoneSetOf(view: View): StoneSet {
  const own = view.setup.options.find(([name]) => name === "stones")?.[1];
  return (own && parseStoneSet(own)) || BUILT_IN;
}

/** The cubes of a kind of stone, as it lies in the stock. */
export function cubesOfKind(stones: StoneSet, name: string, colour: Paint): Cube[] {
  const kind = stones[name];
  if (!kind) return [];
  return kind.cells.map(([x, y, z]) => ({
    x,
    y,
    z,
    colour: ((x + y + z) & 1) === (kind.natural ? 1 : 0) ? colour : "natural",
  }));
}

/** Counts the stones of a stock by kind, sorted by size. */
export function countByKind(stock: readonly string[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const kind of stock) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
