/** Viewpoint of a fall: the orbit from which most of its motion is visible. */
import { countFloors, type Stone } from "../../view";
import type { Orbit } from "../camera";
import { OccupancyGrid } from "../geometry/occupancy";
import type { Vector } from "../geometry/vector";
import { durationOf, posesAt, positionIn, type Film } from "./film";

const AZIMUTH_STEP = 15; // degrees between two candidates
const ELEVATION = 22;
const MOMENTS = 8; // at which the motion is sampled
const HIDDEN_WEIGHT = 0.25; // of motion that the tower hides
const NEAR_WEIGHT = 0.1; // added, at most, to motion on the side of the camera
const RAY_STEP = 0.4; // cells
const MARGIN = 1.01; // by which a candidate must be better than those before it

/** Whether standing stones hide a point from the camera. */
type IsHidden = (point: Vector, toCamera: Vector) => boolean;

function occlusionTest(standing: Stone): IsHidden {
  const [grid, top] = [new OccupancyGrid(standing), countFloors(standing)];
  return ([x, y, z], [dx, dy, dz]) => {
    for (let far = RAY_STEP; y + far * dy < top; far += RAY_STEP)
      if (grid.has(Math.floor(x + far * dx + 1), Math.floor(1 - z - far * dz), Math.floor(y + far * dy)))
        return true;
    return false;
  };
}

/** Sums the motion across the line of sight, weighted by the size of the stones and whether it is hidden. */
function visibleMotion(
  film: Film,
  stones: readonly Stone[],
  moments: readonly Float32Array[],
  toCamera: Vector,
  isHidden: IsHidden,
): number {
  let sum = 0;
  for (let moment = 1; moment < moments.length; moment++)
    film.numbers.forEach((number, at) => {
      const [a, b, c] = positionIn(moments[moment - 1]!, at);
      const position = positionIn(moments[moment]!, at);
      const [x, y, z] = position;
      const along = (x - a) * toCamera[0] + (y - b) * toCamera[1] + (z - c) * toCamera[2];
      const across = Math.sqrt(Math.max(0, (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 - along ** 2));
      const near = (x * toCamera[0] + z * toCamera[2]) / (1 + Math.hypot(x, z));
      const visibility = isHidden(position, toCamera) ? HIDDEN_WEIGHT : 1;
      sum += stones[number]!.length * across * visibility * (1 + NEAR_WEIGHT * near);
    });
  return sum;
}

/** The best orbit for a fall; of equal ones the first, counted from the current orbit. */
export function bestViewpoint(film: Film, stones: readonly Stone[], current: Orbit): Orbit {
  const moving = new Set(film.numbers);
  const isHidden = occlusionTest(stones.filter((_, number) => !moving.has(number)).flat());
  const moments = Array.from({ length: MOMENTS + 1 }, (_, at) =>
    posesAt(film, (at * durationOf(film)) / MOMENTS),
  );
  let [best, most] = [current, -1];
  for (let by = 0; by < 360; by += AZIMUTH_STEP) {
    const candidate = { azimuth: current.azimuth + by, elevation: ELEVATION };
    const [azimuth, elevation] = [(candidate.azimuth * Math.PI) / 180, (ELEVATION * Math.PI) / 180];
    const toCamera: Vector = [
      Math.sin(azimuth) * Math.cos(elevation),
      Math.sin(elevation),
      Math.cos(azimuth) * Math.cos(elevation),
    ];
    const motion = visibleMotion(film, stones, moments, toCamera, isHidden);
    if (motion > MARGIN * most) [best, most] = [candidate, motion];
  }
  return best;
}
