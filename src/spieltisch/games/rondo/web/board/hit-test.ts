/** Hit testing of taps on the board. */
import type { Point } from "../layout/graph";

const FINGER = 24; // pixels: the hit radius for a finger

export interface Hit {
  /** The highlighted fields within reach of the finger, the nearest first. */
  highlighted: string[];
  /** The field under the point. */
  field: string | null;
}

/** Finds what lies under a point: any field within half its width, highlighted ones also within a finger's reach. */
export function hitTest(
  point: Point,
  spots: ReadonlyMap<string, Point>,
  highlighted: ReadonlySet<string>,
  fieldWidth: number,
): Hit {
  const sorted = [...spots]
    .map(([name, { x, y }]) => ({ name, distance: Math.hypot(x - point.x, y - point.y) * fieldWidth }))
    .sort((one, other) => one.distance - other.distance);
  const reach = Math.max(FINGER, fieldWidth / 2);
  return {
    highlighted: sorted
      .filter(({ name, distance }) => highlighted.has(name) && distance <= reach)
      .map(({ name }) => name),
    field: sorted[0] && sorted[0].distance <= fieldWidth / 2 ? sorted[0].name : null,
  };
}
