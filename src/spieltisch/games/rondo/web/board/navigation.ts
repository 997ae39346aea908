/** Keyboard navigation between the fields. */
import type { Point } from "../layout/graph";
import type { Layout } from "../layout/board";
import { CENTRE } from "../view";

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};
const MIN_COSINE = Math.cos((80 * Math.PI) / 180); // of the angle between a link and the direction of a key

/** The neighbour in the direction of an arrow key; from beside the centre it crosses to the other side. */
export function neighbourByKey(
  layout: Layout,
  from: string,
  key: string,
  previous: string | null = null,
): string | null {
  const direction = DIRECTIONS[key];
  const here = layout.spots.get(from);
  if (!direction || !here) return null;
  let best: { name: string; cosine: number } | null = null;
  for (const name of layout.neighbours.get(from) ?? []) {
    const there = layout.spots.get(name);
    if (!there || name === previous) continue;
    const [x, y] = [there.x - here.x, there.y - here.y];
    const cosine = (x * direction.x + y * direction.y) / Math.hypot(x, y);
    if (cosine > MIN_COSINE && cosine > (best?.cosine ?? 0)) best = { name, cosine };
  }
  if (best?.name === CENTRE) return neighbourByKey(layout, CENTRE, key, from);
  return best?.name ?? null;
}

/** The next or previous field of a list, which wraps around. */
export function cycleFields(fields: readonly string[], from: string | null, by: 1 | -1): string | null {
  if (!fields.length) return null;
  const at = from === null ? -1 : fields.indexOf(from);
  if (at < 0) return fields[by > 0 ? 0 : fields.length - 1]!;
  return fields[(at + by + fields.length) % fields.length]!;
}
