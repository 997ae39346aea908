/** Spots brought to our measure: near enough to be large, and far enough not to lie upon each other. */
import type { Spot } from "./wheel";

const APART = 1.12; // how near two fields may be
const UNEVEN = 3; // how much nearer than usual two fields may be before the others follow them
const ENOUGH = (APART - 1e-3) ** 2;
const ROUNDS = 40;

/** How far each of some spots is from the nearest other one. */
export function nearness(spots: readonly Spot[]): number[] {
  return spots.map((one) => {
    let least = Infinity;
    for (const other of spots)
      if (other !== one) least = Math.min(least, (one.x - other.x) ** 2 + (one.y - other.y) ** 2);
    return Math.sqrt(least);
  });
}

/** Moves what lies too near apart, a little at a time. */
function part(spots: readonly Spot[]): void {
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    spots.forEach((one, at) => {
      for (let next = at + 1; next < spots.length; next++) {
        const other = spots[next]!;
        const [x, y] = [other.x - one.x, other.y - one.y];
        const square = x * x + y * y;
        if (square >= ENOUGH) continue;
        const far = Math.sqrt(square);
        const push = (APART - far) / 2 / far;
        one.x -= x * push;
        one.y -= y * push;
        other.x += x * push;
        other.y += y * push;
        moved = true;
      }
    });
  }
}

/** Null where two lie on the same spot. */
export function measured(spots: ReadonlyMap<string, Spot>): Map<string, Spot> | null {
  const gaps = nearness([...spots.values()]).sort((one, other) => one - other);
  const [nearest, usual] = [gaps[0]!, gaps[Math.floor(gaps.length / 2)]!];
  if (!(nearest > 0)) return null;
  const scale = APART / Math.min(usual, UNEVEN * nearest);
  const found = new Map([...spots].map(([name, { x, y }]) => [name, { x: x * scale, y: y * scale }]));
  part([...found.values()]);
  return found;
}
