/** Concentric layout: fields in rings around the centre by their distance from it, with short links. */
import { CENTRE } from "../view";
import type { Neighbours, Point } from "./graph";

type Spots = ReadonlyMap<string, Point>;

const FIRST_RADIUS = 1.4;
const RING_DISTANCE = 1.35;
const FIELD_DISTANCE = 1.25; // on a ring
const MAX_SWEEPS = 30;
const LARGE_BOARD = 100; // fields; a larger board gets fewer sweeps and a single start order
const MAX_PERMUTED = 4; // fields of the first ring, for which every order is tried

/** The levels of a breadth-first search from the centre. */
export function breadthFirstLevels(neighbours: Neighbours): string[][] {
  const seen = new Set([CENTRE]);
  const levels: string[][] = [];
  for (let level = [CENTRE]; level.length;) {
    const next = level
      .flatMap((name) => neighbours.get(name) ?? [])
      .filter((name) => !seen.has(name) && seen.add(name));
    if (next.length) levels.push(next);
    level = next;
  }
  return levels;
}

function pointOnRing(radius: number, at: number, count: number, rotation: number): Point {
  const angle = rotation + (2 * Math.PI * at) / count;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/** The rotation of a ring that brings its fields closest to their neighbours on other rings. */
function bestRotation(ring: readonly string[], spots: Spots, neighbours: Neighbours): number {
  let [sine, cosine] = [0, 0];
  ring.forEach((name, at) => {
    for (const other of neighbours.get(name) ?? []) {
      const spot = spots.get(other);
      if (!spot || ring.includes(other) || other === CENTRE) continue;
      const offset = Math.atan2(spot.x, -spot.y) - (2 * Math.PI * at) / ring.length;
      sine += Math.sin(offset);
      cosine += Math.cos(offset);
    }
  });
  return sine || cosine ? Math.atan2(sine, cosine) : 0;
}

/** The total length of the links of a field. */
function linkLength(name: string, spots: Spots, neighbours: Neighbours): number {
  const one = spots.get(name)!;
  return (neighbours.get(name) ?? []).reduce((sum, other) => {
    const spot = spots.get(other);
    return spot ? sum + Math.hypot(one.x - spot.x, one.y - spot.y) : sum;
  }, 0);
}

/** Swaps adjacent fields of a ring if that shortens the links; returns whether any were swapped. */
function swapAdjacent(ring: string[], spots: Map<string, Point>, neighbours: Neighbours): boolean {
  let swapped = false;
  for (let at = 0; at < ring.length && ring.length > 2; at++) {
    const other = (at + 1) % ring.length;
    const [one, two] = [ring[at]!, ring[other]!];
    const length = (): number => linkLength(one, spots, neighbours) + linkLength(two, spots, neighbours);
    const before = length();
    const [here, there] = [spots.get(one)!, spots.get(two)!];
    spots.set(one, there).set(two, here);
    if (length() < before - 1e-9) {
      [ring[at], ring[other]] = [two, one];
      swapped = true;
    } else spots.set(one, here).set(two, there);
  }
  return swapped;
}

/** Barycentre heuristic: the mean angle of a field's neighbours on inner rings; null if it has none but the centre. */
function meanAngle(name: string, spots: Spots, neighbours: Neighbours): number | null {
  let [x, y] = [0, 0];
  for (const other of neighbours.get(name) ?? []) {
    const spot = other === CENTRE ? undefined : spots.get(other);
    if (!spot) continue;
    const distance = Math.hypot(spot.x, spot.y);
    x += spot.x / distance;
    y += spot.y / distance;
  }
  return x || y ? Math.atan2(x, -y) : null;
}

function arrangeRings(
  neighbours: Neighbours,
  rings: string[][],
  radii: readonly number[],
): Map<string, Point> {
  const spots = new Map<string, Point>([[CENTRE, { x: 0, y: 0 }]]);
  const placeRing = (index: number): void => {
    const ring = rings[index]!;
    const rotation = bestRotation(ring, spots, neighbours);
    ring.forEach((name, at) => spots.set(name, pointOnRing(radii[index]!, at, ring.length, rotation)));
  };
  rings.forEach((ring, index) => {
    const angles = new Map(ring.map((name) => [name, meanAngle(name, spots, neighbours) ?? 0]));
    if (index > 0) ring.sort((one, other) => angles.get(one)! - angles.get(other)!);
    placeRing(index);
  });
  for (let sweep = 0; sweep < (neighbours.size > LARGE_BOARD ? 3 : MAX_SWEEPS); sweep++) {
    const swapped = rings.map((ring) => swapAdjacent(ring, spots, neighbours)).some(Boolean);
    rings.forEach((_, index) => placeRing(index));
    if (!swapped) break;
  }
  return spots;
}

/** The cyclic permutations of some names; of many only one. */
function cyclicOrders(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined || names.length > MAX_PERMUTED) return [[...names]];
  const permute = (left: readonly string[]): string[][] =>
    left.length
      ? left.flatMap((name) => permute(left.filter((one) => one !== name)).map((rest) => [name, ...rest]))
      : [[]];
  return permute(others).map((rest) => [first, ...rest]);
}

export function layoutRings(neighbours: Neighbours): Map<string, Point> {
  const levels = breadthFirstLevels(neighbours);
  let radius = FIRST_RADIUS - RING_DISTANCE;
  const radii = levels.map(
    ({ length: count }) =>
      (radius = Math.max(
        radius + RING_DISTANCE,
        FIELD_DISTANCE / 2 / Math.sin(Math.PI / Math.max(2, count)),
      )),
  );
  const orders = neighbours.size > LARGE_BOARD ? [levels[0] ?? []] : cyclicOrders(levels[0] ?? []);
  const candidates = orders.map((first) => {
    const spots = arrangeRings(neighbours, [first, ...levels.slice(1).map((ring) => [...ring])], radii);
    const length = [...neighbours.keys()].reduce((sum, name) => sum + linkLength(name, spots, neighbours), 0);
    return { spots, length };
  });
  return candidates.reduce((best, one) => (one.length < best.length - 1e-9 ? one : best)).spots;
}
