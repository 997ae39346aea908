/** Label placement beside a field. */
import { CENTRE } from "../view";
import type { Layout } from "./board";
import type { Point } from "./graph";
import { polar } from "./wheel";

const FIELD_RADIUS = 0.5;
const DIRECTIONS = 16;
const DISTANCES = [1, 1.2, 1.45]; // as multiples of the smallest one

type Candidate = Point & { distance: number };

/** The best position for a label, given half its size: it covers no field, lies within the limit, and is close. */
export function placeLabel(layout: Layout, name: string, limit: Point, half: Point): Point {
  const spot = layout.spots.get(name) ?? layout.spots.get(CENTRE)!;
  const candidates = DISTANCES.flatMap((distance) =>
    Array.from({ length: DIRECTIONS }, (_, at) => polar(1, (at * 360) / DIRECTIONS)).map((direction) => ({
      x: spot.x + direction.x * distance * (FIELD_RADIUS + half.x),
      y: spot.y + direction.y * distance * (FIELD_RADIUS + half.y),
      distance,
    })),
  );
  const score = ({ x, y, distance }: Candidate): number => {
    const inside = Math.abs(x) + half.x <= limit.x && Math.abs(y) + half.y <= limit.y;
    const clearance = Math.min(
      ...[...layout.spots].map(
        ([other, { x: ox, y: oy }]) =>
          Math.hypot(Math.max(0, Math.abs(ox - x) - half.x), Math.max(0, Math.abs(oy - y) - half.y)) -
          (other === CENTRE ? layout.hubRadius - FIELD_RADIUS : 0),
      ),
    );
    return Math.min(clearance, FIELD_RADIUS + 0.15) - distance / 10 - (inside ? 0 : 10);
  };
  return candidates.reduce((best, one) => (score(one) > score(best) + 1e-6 ? one : best));
}
