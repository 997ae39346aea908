/** A board that does not say where its fields lie: rings about the centre by the number of steps from it. */
import { CENTRE } from "./stones";
import type { Near, Spot } from "./wheel";

const FIRST = 1.4; // radius of the first ring
const BETWEEN = 1.35; // from ring to ring
const BESIDE = 1.25; // from field to field on a ring
const SWEEPS = 30;
const MANY = 100; // fields of which only one order is tried, and not for long
const MOST_ROUNDS = 4; // fields about the centre of which every order is tried

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

/** The angle at which a field is nearest to those of inner rings that it is linked to; null beside the centre alone. */
function pull(name: string, spots: ReadonlyMap<string, Spot>, near: Near): number | null {
  let [x, y] = [0, 0];
  for (const other of near.get(name) ?? []) {
    const spot = other === CENTRE ? undefined : spots.get(other);
    if (!spot) continue;
    const far = Math.hypot(spot.x, spot.y);
    x += spot.x / far;
    y += spot.y / far;
  }
  return x || y ? Math.atan2(x, -y) : null;
}

function arrange(near: Near, rings: string[][], radii: readonly number[]): Map<string, Spot> {
  const spots = new Map<string, Spot>([[CENTRE, { x: 0, y: 0 }]]);
  const lay = (at: number): void => {
    const ring = rings[at]!;
    const turn = bestTurn(ring, spots, near);
    ring.forEach((name, place) => spots.set(name, spotOn(radii[at]!, place, ring.length, turn)));
  };
  rings.forEach((ring, at) => {
    const pulls = new Map(ring.map((name) => [name, pull(name, spots, near) ?? 0]));
    if (at > 0) ring.sort((one, other) => pulls.get(one)! - pulls.get(other)!);
    lay(at);
  });
  for (let sweep = 0; sweep < (near.size > MANY ? 3 : SWEEPS); sweep++) {
    const better = rings.map((ring) => untangle(ring, spots, near)).some(Boolean);
    rings.forEach((_, at) => lay(at));
    if (!better) break;
  }
  return spots;
}

/** The ways to go round some fields; of many only one. */
function rounds(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined || names.length > MOST_ROUNDS) return [[...names]];
  const mixed = (left: readonly string[]): string[][] =>
    left.length
      ? left.flatMap((name) => mixed(left.filter((one) => one !== name)).map((rest) => [name, ...rest]))
      : [[]];
  return mixed(others).map((rest) => [first, ...rest]);
}

export function spread(near: Near): Map<string, Spot> {
  const found = levels(near);
  let radius = FIRST - BETWEEN;
  const radii = found.map(
    ({ length: count }) =>
      (radius = Math.max(radius + BETWEEN, BESIDE / 2 / Math.sin(Math.PI / Math.max(2, count)))),
  );
  const orders = near.size > MANY ? [found[0] ?? []] : rounds(found[0] ?? []);
  const ways = orders.map((first) => {
    const spots = arrange(near, [first, ...found.slice(1).map((ring) => [...ring])], radii);
    return { spots, far: [...near.keys()].reduce((sum, name) => sum + length(name, spots, near), 0) };
  });
  return ways.reduce((best, way) => (way.far < best.far - 1e-9 ? way : best)).spots;
}
