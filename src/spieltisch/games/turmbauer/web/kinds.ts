/** The stones by their kinds: shapes for pictures, from the built-in set or the table's own. */
import type { Paint } from "#web/art/palette";
import builtIn from "../stones.json";
import type { Cube, Point, View } from "./tower";

interface Kind {
  cells: [number, number, number][];
  copies?: number;
  natural?: boolean;
}

export type Kinds = Readonly<Record<string, Kind>>;

/** The kinds of a document; null where it is none. */
export function readKinds(text: string): Kinds | null {
  try {
    const kinds = (JSON.parse(text) as { kinds?: Kinds }).kinds;
    return kinds && typeof kinds === "object" ? kinds : null;
  } catch {
    return null;
  }
}

export const BUILT_IN = builtIn.kinds as unknown as Kinds;

export function kindsOf(view: View): Kinds {
  const own = view.setup.options.find(([name]) => name === "stones")?.[1];
  return (own && readKinds(own)) || BUILT_IN;
}

/** A stone's cubes as it lies in the stock. */
export function cubesOfKind(kinds: Kinds, name: string, colour: Paint): Cube[] {
  const kind = kinds[name];
  if (!kind) return [];
  return kind.cells.map(([x, y, z]) => ({
    x,
    y,
    z,
    colour: ((x + y + z) & 1) === (kind.natural ? 1 : 0) ? colour : "natural",
  }));
}

export const sizeOf = (kind: string): number => Number(kind[0]);

/** The different kinds of a stock, by size, and how many there are of each. */
export function heaped(stock: readonly string[]): { kind: string; number: number }[] {
  const counted = new Map<string, number>();
  for (const kind of stock) counted.set(kind, (counted.get(kind) ?? 0) + 1);
  return [...counted].map(([kind, number]) => ({ kind, number })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** How the tower looks to somebody who has walked a quarter, a half or three quarters around it. */
export function seenFrom<P extends Point>(points: readonly P[], quarters: number): P[] {
  const turns = ((quarters % 4) + 4) % 4;
  return points.map((point) => {
    let { x, y } = point;
    for (let turn = 0; turn < turns; turn++) [x, y] = [-y, x];
    return { ...point, x, y };
  });
}
