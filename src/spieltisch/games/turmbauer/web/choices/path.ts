/** Pathfinding: the path of a pawn to a field, for its preview. */
import { cellAbove, cellKey, heightOn, isSameCell, translate, type Cell } from "../view";

/** A field, or null for the table. */
type Place = Cell | null;

const DIRECTIONS: readonly Cell[] = [
  { x: 0, y: 1, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 0, y: -1, z: 0 },
  { x: -1, y: 0, z: 0 },
];

const placeKey = (place: Place): string => (place ? cellKey(place) : "table");

/** Breadth-first search: a shortest path over reachable fields, both ends included; [] if it takes a ring to get there. */
export function findPath(
  from: Place,
  to: Place,
  reachable: readonly Place[],
  occupied: ReadonlySet<string>,
): Place[] {
  const unvisited = new Map([...reachable, to].map((place) => [placeKey(place), place]));
  unvisited.delete(placeKey(from));
  const paths: Place[][] = [[from]];
  for (const path of paths) {
    const here = path.at(-1)!;
    if (isSameCell(here, to)) return path;
    for (const [key, place] of unvisited) {
      if (!isStep(here, place, occupied)) continue;
      unvisited.delete(key);
      paths.push([...path, place]);
    }
  }
  return [];
}

function isStep(from: Place, to: Place, occupied: ReadonlySet<string>): boolean {
  if (from === null || to === null) {
    const field = from ?? to;
    return (
      heightOn(field) === 1 &&
      DIRECTIONS.some((direction) => !occupied.has(cellKey({ ...translate(field!, direction), z: 0 })))
    );
  }
  const rise = to.z - from.z;
  if (Math.abs(to.x - from.x) + Math.abs(to.y - from.y) !== 1 || Math.abs(rise) > 1) return false;
  const low = rise > 0 ? from : to;
  return rise === 0 || !occupied.has(cellKey(cellAbove(cellAbove(low))));
}
