/** The way a pawn takes to a field, for the eye: a shortest one over fields that it reaches. */
import { above, heightOf, keyOf, moved, same, type Point } from "./tower";

type Place = Point | null;
const SIDES: readonly Point[] = [
  { x: 0, y: 1, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 0, y: -1, z: 0 },
  { x: -1, y: 0, z: 0 },
];

const nameOf = (place: Place): string => (place ? keyOf(place) : "table");

/** The places from a pawn's to its goal, both included; [] where none leads there without a ring. */
export function wayTo(
  from: Place,
  to: Place,
  reached: readonly Place[],
  taken: ReadonlySet<string>,
): Place[] {
  const left = new Map([...reached, to].map((place) => [nameOf(place), place]));
  left.delete(nameOf(from));
  const ways: Place[][] = [[from]];
  for (const way of ways) {
    const here = way.at(-1)!;
    if (same(here, to)) return way;
    for (const [name, place] of left) {
      if (!isStep(here, place, taken)) continue;
      left.delete(name);
      ways.push([...way, place]);
    }
  }
  return [];
}

function isStep(from: Place, to: Place, taken: ReadonlySet<string>): boolean {
  if (from === null || to === null) {
    const field = from ?? to;
    return heightOf(field) === 1 && SIDES.some((side) => !taken.has(keyOf({ ...moved(field!, side), z: 0 })));
  }
  const rise = to.z - from.z;
  if (Math.abs(to.x - from.x) + Math.abs(to.y - from.y) !== 1 || Math.abs(rise) > 1) return false;
  const low = rise > 0 ? from : to;
  return rise === 0 || !taken.has(keyOf(above(above(low))));
}
