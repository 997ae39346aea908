/** From where a fall is seen best. */
import { floorsOf, type Cube } from "../tower";
import { Room } from "./bevel";
import type { Vector } from "./block";
import type { Look } from "./camera";
import { lengthOf, posesAt, type Film } from "./film";

const STEP = 15; // degrees between two looks that are tried
const RISE = 22;
const MOMENTS = 8;
const HIDDEN = 0.25; // what motion counts that something stands before
const NEARER = 0.1; // how much more, at most, on the side of whoever looks
const STRIDE = 0.4; // cells between two points of a line of sight

/** The look across which most of the motion goes, and before which least stands; of equals the nearest to one. */
export function vantage(film: Film, stones: readonly (readonly Cube[])[], look: Look): Look {
  const moving = new Set(film.numbers);
  const standing = stones.filter((_, number) => !moving.has(number)).flat();
  const [room, top] = [new Room(standing), floorsOf(standing)];
  const hidden = ([x, y, z]: Vector, way: Vector): boolean => {
    for (let far = STRIDE; y + far * way[1] < top; far += STRIDE)
      if (
        room.has(
          Math.floor(x + far * way[0] + 1),
          Math.floor(1 - z - far * way[2]),
          Math.floor(y + far * way[1]),
        )
      )
        return true;
    return false;
  };
  const moments = Array.from({ length: MOMENTS + 1 }, (_, at) =>
    posesAt(film, (at * lengthOf(film)) / MOMENTS),
  );
  const placeAt = (moment: number, stone: number): Vector =>
    moments[moment]!.subarray(7 * stone, 7 * stone + 3) as unknown as Vector;

  /** How much of the motion is seen by who looks that way. */
  const seen = (way: Vector): number => {
    let sum = 0;
    for (let moment = 1; moment <= MOMENTS; moment++)
      film.numbers.forEach((number, stone) => {
        const [a, b, c] = placeAt(moment - 1, stone);
        const now = placeAt(moment, stone);
        const [x, y, z] = now;
        const along = (x - a) * way[0] + (y - b) * way[1] + (z - c) * way[2];
        const across = Math.sqrt(Math.max(0, (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 - along ** 2));
        const near = (x * way[0] + z * way[2]) / (1 + Math.hypot(x, z));
        sum += stones[number]!.length * across * (hidden(now, way) ? HIDDEN : 1) * (1 + NEARER * near);
      });
    return sum;
  };

  let [best, most] = [look, -1];
  for (let by = 0; by < 360; by += STEP) {
    const tried = { azimuth: look.azimuth + by, elevation: RISE };
    const [turn, rise] = [(tried.azimuth * Math.PI) / 180, (RISE * Math.PI) / 180];
    const found = seen([Math.sin(turn) * Math.cos(rise), Math.sin(rise), Math.cos(turn) * Math.cos(rise)]);
    if (found > 1.01 * most) [best, most] = [tried, found];
  }
  return best;
}
