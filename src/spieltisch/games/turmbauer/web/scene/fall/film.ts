/** Film of a fall: the recorded poses of all moving stones, decoded to the axes of the scene. */
import type { Stone } from "../../view";
import type { Vector } from "../geometry/vector";

const POSE = 7; // numbers: the position of a stone's centre and a unit quaternion (w, x, y, z)
const MAGIC = 0x6c6c6166; // "fall"
const HEADER = 10; // bytes
const POSITION_SCALE = 250;
const QUATERNION_SCALE = 32767;
const FALLEN_DISTANCE = 0.5; // cells

export interface Film {
  /** The numbers of the moving stones: 0 is the foundation, the others follow in building order. */
  readonly numbers: readonly number[];
  readonly frames: number;
  /** Frames per second. */
  readonly rate: number;
  /** Frame by frame, stone by stone, seven numbers per stone. */
  readonly poses: Float32Array;
}

/** A fall: all stones of the tower and then the one that was being built, and the film of them. */
export interface Fall {
  readonly stones: readonly Stone[];
  readonly film: Film;
}

/** The duration in seconds. */
export const durationOf = ({ frames, rate }: Film): number => Math.max(0, frames - 1) / rate;

/** Decompresses and decodes a film; null if nothing moves in it, or if it is invalid. */
export async function unpackFilm(packed: ArrayBuffer): Promise<Film | null> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return decodeFilm(await new Response(stream).arrayBuffer());
}

/** Decodes a film, which is delta-encoded: every number is the difference from the previous frame. */
export function decodeFilm(bytes: ArrayBuffer): Film | null {
  const data = new DataView(bytes);
  if (bytes.byteLength < HEADER || data.getUint32(0, true) !== MAGIC) return null;
  const [frames, stones, rate] = [4, 6, 8].map((at) => data.getUint16(at, true)) as [number, number, number];
  const first = HEADER + 2 * stones;
  if (!frames || !stones || !rate || bytes.byteLength < first + 2 * POSE * frames * stones) return null;
  const numbers = Array.from({ length: stones }, (_, at) => data.getUint16(HEADER + 2 * at, true));
  const row = POSE * stones;
  const sum = new Int32Array(row);
  const poses = new Float32Array(frames * row);
  for (let frame = 0, offset = first; frame < frames; frame++)
    for (let stone = 0; stone < row; stone += POSE) {
      for (let at = 0; at < POSE; at++, offset += 2) sum[stone + at]! += data.getInt16(offset, true);
      const [x, y, z, w, i, j, k] = sum.subarray(stone, stone + POSE) as unknown as number[];
      const position = [x! / POSITION_SCALE - 0.5, z! / POSITION_SCALE, 0.5 - y! / POSITION_SCALE];
      const quaternion = [w!, i!, k!, -j!].map((part) => part / QUATERNION_SCALE);
      poses.set([...position, ...quaternion], frame * row + stone);
    }
  return { numbers, frames, rate, poses };
}

/** The poses of all moving stones at a time, interpolated between two frames. */
export function posesAt({ numbers, frames, rate, poses }: Film, seconds: number): Float32Array {
  const row = POSE * numbers.length;
  const at = Math.max(0, Math.min(frames - 1, seconds * rate));
  const [start, share] = [Math.floor(at) * row, at % 1];
  const now = poses.slice(start, start + row);
  if (!share) return now;
  for (let stone = 0; stone < row; stone += POSE) {
    const other = start + row + stone;
    let dot = 0; // of the quaternions; if negative, the other one is negated for the shorter rotation
    for (let part = 3; part < POSE; part++) dot += now[stone + part]! * poses[other + part]!;
    let square = 0;
    for (let part = 0; part < POSE; part++) {
      const target = poses[other + part]! * (part > 2 && dot < 0 ? -1 : 1);
      now[stone + part]! += share * (target - now[stone + part]!);
      if (part > 2) square += now[stone + part]! ** 2;
    }
    for (let part = 3; part < POSE; part++) now[stone + part]! /= Math.sqrt(square);
  }
  return now;
}

/** The position of a stone in some poses, by its index among the moving stones. */
export const positionIn = (poses: Float32Array, at: number): Vector =>
  poses.subarray(POSE * at, POSE * at + 3) as unknown as Vector;

/** The numbers of the stones that have fallen at the end, apart from the foundation. */
export function fallenStones({ numbers, frames, poses }: Film): number[] {
  const last = (frames - 1) * POSE * numbers.length;
  return numbers.filter((number, stone) => {
    const offset = [0, 1, 2].map((axis) => poses[last + POSE * stone + axis]! - poses[POSE * stone + axis]!);
    return number > 0 && Math.hypot(...offset) > FALLEN_DISTANCE;
  });
}

/** A rigid transform: three rows of a rotation matrix, each followed by its translation. */
export type Transform = Float64Array;

/** The transform of a stone from its first pose to another, by its index among the moving stones. */
export function transformTo({ poses: first }: Film, now: Float32Array, stone: number): Transform {
  const at = POSE * stone;
  const [x, y, z, w, i, j, k] = now.subarray(at, at + POSE) as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const rotation = [
    [1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)],
    [2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)],
    [2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)],
  ];
  const [x0, y0, z0] = positionIn(first, stone);
  return Float64Array.from(
    rotation.flatMap((row, axis) => [...row, [x, y, z][axis]! - row[0]! * x0 - row[1]! * y0 - row[2]! * z0]),
  );
}
