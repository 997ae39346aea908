/** A board that does not say where its fields lie: rings about the centre by the number of steps from it. */
import { CENTRE } from "./stones";
import type { Spot } from "./wheel";

const FIRST = 1.4; // radius of the first ring
const BETWEEN = 1.35; // from ring to ring
const BESIDE = 1.25; // from field to field on a ring
const SWEEPS = 30;

type Near = ReadonlyMap<string, readonly string[]>;

/** The fields by their number of steps from the centre. */
export function levels(near: Near): string[][] {
  const met = new Set([CENTRE]);
  const found: string[][] = [];
  for (let level = [CENTRE]; level.length;) {
    const next = level
      .flatMap((name) => near.get(name) ?? [])
      .filter((name) => !met.has(name) && met.add(name));
    if (next.length) found.push(next);
    level = next;
  }
  return found;
}

function spotOn(radius: number, at: number, count: number, turn: number): Spot {
  const angle = turn + (2 * Math.PI * at) / count;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/** The turn of a ring that brings its fields nearest to those they are linked to. */
function bestTurn(ring: readonly string[], spots: ReadonlyMap<string, Spot>, near: Near): number {
  let [sine, cosine] = [0, 0];
  ring.forEach((name, at) => {
    for (const other of near.get(name) ?? []) {
      const spot = spots.get(other);
      if (!spot || ring.includes(other) || other === CENTRE) continue;
      const off = Math.atan2(spot.x, -spot.y) - (2 * Math.PI * at) / ring.length;
      sine += Math.sin(off);
      cosine += Math.cos(off);
    }
  });
  return sine || cosine ? Math.atan2(sine, cosine) : 0;
}

function length(name: string, spots: ReadonlyMap<string, Spot>, near: Near): number {
  const one = spots.get(name)!;
  return (near.get(name) ?? []).reduce((sum, other) => {
    const spot = spots.get(other);
    return spot ? sum + Math.hypot(one.x - spot.x, one.y - spot.y) : sum;
  }, 0);
}

/** Exchanges neighbours on a ring wherever that makes the links shorter; answers whether it did. */
function untangle(ring: string[], spots: Map<string, Spot>, near: Near): boolean {
  let better = false;
  for (let at = 0; at < ring.length && ring.length > 2; at++) {
    const other = (at + 1) % ring.length;
    const [one, two] = [ring[at]!, ring[other]!];
    const before = length(one, spots, near) + length(two, spots, near);
    const [here, there] = [spots.get(one)!, spots.get(two)!];
    spots.set(one, there).set(two, here);
    if (length(one, spots, near) + length(two, spots, near) < before - 1e-9) {
      [ring[at], ring[other]] = [two, one];
      better = true;
    } else spots.set(one, here).set(two, there);
  }
  return better;
}

export function spread(near: Near): Map<string, Spot> {
  const spots = new Map<string, Spot>([[CENTRE, { x: 0, y: 0 }]]);
  const rings = levels(near).map((names) => [...names]);
  let radius = FIRST - BETWEEN;
  const radii = rings.map(
    (ring) =>
      (radius = Math.max(radius + BETWEEN, BESIDE / 2 / Math.sin(Math.PI / Math.max(2, ring.length)))),
  );
  const lay = (at: number): void => {
    const ring = rings[at]!;
    const turn = bestTurn(ring, spots, near);
    ring.forEach((name, place) => spots.set(name, spotOn(radii[at]!, place, ring.length, turn)));
  };
  rings.forEach((_, at) => lay(at));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const better = rings.map((ring) => untangle(ring, spots, near)).some(Boolean);
    rings.forEach((_, at) => lay(at));
    if (!better) break;
  }
  return spots;
}
