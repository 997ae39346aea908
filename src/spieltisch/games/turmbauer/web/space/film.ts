/** The recorded fall of a tower: how every stone that moves lies at every moment, on the screen's axes. */

/** How a stone lies: where its middle is, and how it is turned, as a quaternion (w, x, y, z). */
const POSE = 7;
const MARK = 0x6c6c6166; // "fall"
const HEAD = 10;
const GRID = 250;
const TURN = 32767;
const FAR = 0.5; // a stone that went farther has fallen

export interface Film {
  /** The stones that move, by number: 0 is the foundation, the others in the order of building. */
  readonly numbers: readonly number[];
  readonly frames: number;
  /** Frames a second. */
  readonly rate: number;
  /** Frame by frame, stone by stone, seven numbers each. */
  readonly poses: Float32Array;
}

/** The seconds from the first pose to the last. */
export const lengthOf = ({ frames, rate }: Film): number => Math.max(0, frames - 1) / rate;

/** Unpacks a film as it is sent; null where nothing moves, or where it is none. */
export async function unpack(packed: ArrayBuffer): Promise<Film | null> {
  const opened = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return readFilm(await new Response(opened).arrayBuffer());
}

/** Reads the film: every number is the difference to the frame before. */
export function readFilm(bytes: ArrayBuffer): Film | null {
  const data = new DataView(bytes);
  if (bytes.byteLength < HEAD || data.getUint32(0, true) !== MARK) return null;
  const [frames, stones, rate] = [4, 6, 8].map((at) => data.getUint16(at, true)) as [number, number, number];
  const first = HEAD + 2 * stones;
  if (!frames || !stones || !rate || bytes.byteLength < first + 2 * POSE * frames * stones) return null;
  const numbers = Array.from({ length: stones }, (_, at) => data.getUint16(HEAD + 2 * at, true));
  const row = POSE * stones;
  const sum = new Int32Array(row);
  const poses = new Float32Array(frames * row);
  for (let frame = 0, from = first; frame < frames; frame++)
    for (let stone = 0; stone < row; stone += POSE) {
      for (let at = 0; at < POSE; at++, from += 2) sum[stone + at]! += data.getInt16(from, true);
      const [x, y, z, w, i, j, k] = sum.subarray(stone, stone + POSE) as unknown as number[];
      poses.set(
        [x! / GRID - 0.5, z! / GRID, 0.5 - y! / GRID, w! / TURN, i! / TURN, k! / TURN, -j! / TURN],
        frame * row + stone,
      );
    }
  return { numbers, frames, rate, poses };
}

/** How all stones lie at a moment, between two frames where need be. */
export function posesAt({ numbers, frames, rate, poses }: Film, seconds: number): Float32Array {
  const row = POSE * numbers.length;
  const at = Math.max(0, Math.min(frames - 1, seconds * rate));
  const [one, share] = [Math.floor(at) * row, at % 1];
  const now = poses.slice(one, one + row);
  if (!share) return now;
  for (let stone = 0; stone < row; stone += POSE) {
    const other = one + row + stone;
    let same = 0; // the shorter way around
    for (let part = 3; part < POSE; part++) same += now[stone + part]! * poses[other + part]!;
    let long = 0;
    for (let part = 0; part < POSE; part++) {
      const goal = poses[other + part]! * (part > 2 && same < 0 ? -1 : 1);
      now[stone + part]! += share * (goal - now[stone + part]!);
      if (part > 2) long += now[stone + part]! ** 2;
    }
    for (let part = 3; part < POSE; part++) now[stone + part]! /= Math.sqrt(long);
  }
  return now;
}

/** The stones that have fallen in the end, by number; the foundation never counts. */
export function fallenIn({ numbers, frames, poses }: Film): number[] {
  const last = (frames - 1) * POSE * numbers.length;
  return numbers.filter((number, stone) => {
    const way = [0, 1, 2].map((axis) => poses[last + POSE * stone + axis]! - poses[POSE * stone + axis]!);
    return number > 0 && Math.hypot(...way) > FAR;
  });
}

/** A motion in space: three rows of a turn and a shift, for points on the screen's axes. */
export type Motion = Float64Array;

/** What brings a stone from how it lay at first to a pose. */
export function motionTo({ poses }: Film, now: Float32Array, stone: number): Motion {
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
  const turn = [
    [1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)],
    [2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)],
    [2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)],
  ];
  const first = poses.subarray(at, at + 3);
  return Float64Array.from(
    turn.flatMap((row, axis) => [
      ...row,
      [x, y, z][axis]! - row[0]! * first[0]! - row[1]! * first[1]! - row[2]! * first[2]!,
    ]),
  );
}
