/** Going about the board with the arrow keys, along its links. */
import { CENTRE } from "./stones";
import type { Plan, Spot } from "./wheel";

const WAYS: Readonly<Record<string, Spot>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};
const WIDEST = Math.cos((80 * Math.PI) / 180);

/** The linked field that lies most in the direction of the key; over the centre one comes to the other side. */
export function step(plan: Plan, from: string, key: string, came: string | null = null): string | null {
  const way = WAYS[key];
  const here = plan.spots.get(from);
  if (!way || !here) return null;
  let best: { name: string; fits: number } | null = null;
  for (const name of plan.near.get(from) ?? []) {
    const there = plan.spots.get(name);
    if (!there || name === came) continue;
    const [x, y] = [there.x - here.x, there.y - here.y];
    const fits = (x * way.x + y * way.y) / Math.hypot(x, y);
    if (fits > WIDEST && fits > (best?.fits ?? 0)) best = { name, fits };
  }
  if (best?.name === CENTRE) return step(plan, CENTRE, key, from);
  return best?.name ?? null;
}

/** The next of some fields in the order of the board, round and round. */
export function cycle(fields: readonly string[], from: string | null, by: 1 | -1): string | null {
  if (!fields.length) return null;
  const at = from === null ? -1 : fields.indexOf(from);
  if (at < 0) return fields[by > 0 ? 0 : fields.length - 1]!;
  return fields[(at + by + fields.length) % fields.length]!;
}
