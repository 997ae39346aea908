/** Spacing of fields: scales a layout to our distances and removes overlaps. */
import type { Point } from "./graph";

const MIN_DISTANCE = 1.12; // between two fields
const MAX_UNEVENNESS = 3; // of the median distance to the smallest, before the smallest limits the scale
const TOLERATED_SQUARE = (MIN_DISTANCE - 1e-3) ** 2;
const MAX_ROUNDS = 40;

/** The distance of each point to its nearest neighbour. */
export function nearestDistances(points: readonly Point[]): number[] {
  return points.map((one) => {
    let least = Infinity;
    for (const other of points)
      if (other !== one) least = Math.min(least, (one.x - other.x) ** 2 + (one.y - other.y) ** 2);
    return Math.sqrt(least);
  });
}

/** Overlap removal: pushes points apart, pair by pair, until all distances are large enough. */
function removeOverlaps(points: readonly Point[]): void {
  for (let round = 0, moved = true; moved && round < MAX_ROUNDS; round++) {
    moved = false;
    points.forEach((one, at) => {
      for (let next = at + 1; next < points.length; next++) {
        const other = points[next]!;
        const [x, y] = [other.x - one.x, other.y - one.y];
        const square = x * x + y * y;
        if (square >= TOLERATED_SQUARE) continue;
        const distance = Math.sqrt(square);
        const push = (MIN_DISTANCE - distance) / 2 / distance;
        one.x -= x * push;
        one.y -= y * push;
        other.x += x * push;
        other.y += y * push;
        moved = true;
      }
    });
  }
}

/** Scales points so that fields are as large as possible without overlaps; null if two points coincide. */
export function normalizeSpacing(spots: ReadonlyMap<string, Point>): Map<string, Point> | null {
  const gaps = nearestDistances([...spots.values()]).sort((one, other) => one - other);
  const [nearest, median] = [gaps[0]!, gaps[Math.floor(gaps.length / 2)]!];
  if (!(nearest > 0)) return null;
  const scale = MIN_DISTANCE / Math.min(median, MAX_UNEVENNESS * nearest);
  const scaled = new Map([...spots].map(([name, { x, y }]) => [name, { x: x * scale, y: y * scale }]));
  removeOverlaps([...scaled.values()]);
  return scaled;
}
