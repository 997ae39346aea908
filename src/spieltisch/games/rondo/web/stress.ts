/** A board without a shape of its own: fields lie as far from each other as there are steps between them. */
import type { Near, Spot } from "./wheel";

const WORK = 4e6; // pairs looked at, so that the largest board is still laid out at once

/** The number of steps between all fields, in the order of their names. */
function distances(names: readonly string[], near: Near): Int16Array[] {
  const place = new Map(names.map((name, at) => [name, at]));
  const beside = names.map((name) => (near.get(name) ?? []).flatMap((other) => place.get(other) ?? []));
  return names.map((_, from) => {
    const steps = new Int16Array(names.length).fill(-1);
    steps[from] = 0;
    for (const queue = [from]; queue.length;) {
      const here = queue.shift()!;
      for (const next of beside[here]!)
        if (steps[next]! < 0) {
          steps[next] = steps[here]! + 1;
          queue.push(next);
        }
    }
    return steps;
  });
}

/** Spots moved until their distances are most like the numbers of steps. */
export function stressed(near: Near, start: ReadonlyMap<string, Spot>): Map<string, Spot> {
  const names = [...start.keys()];
  const steps = distances(names, near);
  const xs = Float64Array.from(names, (name) => start.get(name)!.x);
  const ys = Float64Array.from(names, (name) => start.get(name)!.y);
  const rounds = Math.max(12, Math.min(150, Math.floor(WORK / names.length ** 2)));
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < names.length; at++) {
      let [x, y, all] = [0, 0, 0];
      for (let other = 0; other < names.length; other++) {
        const far = steps[at]![other]!;
        if (far <= 0) continue;
        const [dx, dy] = [xs[at]! - xs[other]!, ys[at]! - ys[other]!];
        const stretch = far / Math.max(1e-6, Math.sqrt(dx * dx + dy * dy));
        const weight = 1 / (far * far);
        x += weight * (xs[other]! + dx * stretch);
        y += weight * (ys[other]! + dy * stretch);
        all += weight;
      }
      if (all) [xs[at], ys[at]] = [x / all, y / all];
    }
  return new Map(names.map((name, at) => [name, { x: xs[at]!, y: ys[at]! }]));
}

const side = (one: Spot, two: Spot, point: Spot): number =>
  (two.x - one.x) * (point.y - one.y) - (two.y - one.y) * (point.x - one.x);

/** How many links cross each other; no more than so many are counted. */
export function crossings(
  links: readonly (readonly [string, string])[],
  spots: ReadonlyMap<string, Spot>,
  most = Infinity,
): number {
  const lines = links.map(([from, to]) => [spots.get(from)!, spots.get(to)!] as const);
  let found = 0;
  for (let at = 0; at < lines.length && found < most; at++) {
    const [a, b] = lines[at]!;
    for (let next = at + 1; next < lines.length; next++) {
      const [c, d] = lines[next]!;
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) found++;
    }
  }
  return found;
}
