/** Crossings of links, the measure by which two layouts are compared. */
import type { Link, Point } from "./graph";

const orientation = (one: Point, two: Point, point: Point): number =>
  (two.x - one.x) * (point.y - one.y) - (two.y - one.y) * (point.x - one.x);

/** Counts the pairs of links that cross; stops soon after `limit`. */
export function countCrossings(
  links: readonly Link[],
  spots: ReadonlyMap<string, Point>,
  limit = Infinity,
): number {
  const segments = links.map(([from, to]) => [spots.get(from)!, spots.get(to)!] as const);
  let found = 0;
  for (let at = 0; at < segments.length && found < limit; at++) {
    const [a, b] = segments[at]!;
    for (let next = at + 1; next < segments.length; next++) {
      const [c, d] = segments[next]!;
      if (orientation(a, b, c) * orientation(a, b, d) < 0 && orientation(c, d, a) * orientation(c, d, b) < 0)
        found++;
    }
  }
  return found;
}
