/** Stress majorization: a graph layout in which distances in the plane resemble distances in the graph. */
import type { Neighbours, Point } from "./graph";

const MAX_PAIRS = 4e6; // pairs of fields that are visited, which bounds the time for the largest board

/** All-pairs shortest paths by breadth-first search, in the order of the names; -1 if there is none. */
function graphDistances(names: readonly string[], neighbours: Neighbours): Int16Array[] {
  const indices = new Map(names.map((name, at) => [name, at]));
  const adjacent = names.map((name) =>
    (neighbours.get(name) ?? []).flatMap((other) => indices.get(other) ?? []),
  );
  return names.map((_, from) => {
    const distances = new Int16Array(names.length).fill(-1);
    distances[from] = 0;
    for (const queue = [from]; queue.length;) {
      const here = queue.shift()!;
      for (const next of adjacent[here]!)
        if (distances[next]! < 0) {
          distances[next] = distances[here]! + 1;
          queue.push(next);
        }
    }
    return distances;
  });
}

/** Moves the points from a start layout until the stress is low. */
export function majorizeStress(
  neighbours: Neighbours,
  start: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const names = [...start.keys()];
  const distances = graphDistances(names, neighbours);
  const xs = Float64Array.from(names, (name) => start.get(name)!.x);
  const ys = Float64Array.from(names, (name) => start.get(name)!.y);
  const rounds = Math.max(12, Math.min(150, Math.floor(MAX_PAIRS / names.length ** 2)));
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < names.length; at++) {
      let [x, y, total] = [0, 0, 0];
      for (let other = 0; other < names.length; other++) {
        const distance = distances[at]![other]!;
        if (distance <= 0) continue;
        const [dx, dy] = [xs[at]! - xs[other]!, ys[at]! - ys[other]!];
        const stretch = distance / Math.max(1e-6, Math.sqrt(dx * dx + dy * dy));
        const weight = 1 / (distance * distance);
        x += weight * (xs[other]! + dx * stretch);
        y += weight * (ys[other]! + dy * stretch);
        total += weight;
      }
      if (total) [xs[at], ys[at]] = [x / total, y / total];
    }
  return new Map(names.map((name, at) => [name, { x: xs[at]!, y: ys[at]! }]));
}
