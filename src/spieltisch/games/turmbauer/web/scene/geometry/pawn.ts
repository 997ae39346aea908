/** Lathe geometry of a pawn. */
import { LatheGeometry, Vector2 } from "three";

/** Builds a pawn that stands on the origin; expanded for an outline. */
export function createPawnGeometry(expanded = 0): LatheGeometry {
  const body: [number, number][] = [
    [0, 0],
    [0.3, 0],
    [0.34, 0.04],
    [0.34, 0.1],
    [0.3, 0.16],
    [0.2, 0.32],
    [0.135, 0.52],
    [0.125, 0.6],
    [0.21, 0.635],
    [0.21, 0.675],
    [0.12, 0.7],
  ];
  const head = Array.from({ length: 11 }, (_, at): [number, number] => {
    const angle = -0.95 + ((Math.PI / 2 + 0.95) * at) / 10;
    return [0.2 * Math.cos(angle), 0.87 + 0.2 * Math.sin(angle)];
  });
  const points = [...body, ...head].map(
    ([x, y]) => new Vector2(x ? x + expanded : 0, y < 0.01 ? -expanded * 0.4 : y + (y > 0.87 ? expanded : 0)),
  );
  return new LatheGeometry(points, 24);
}
