/** A tower that falls: one mesh, whose stones are moved one by one. */
import type { Cube, Point } from "../tower";
import { meshOf, middleOf, Room, type Mesh } from "./bevel";
import type { Vector } from "./block";
import { lengthOf, motionTo, posesAt, type Film, type Motion } from "./film";

const LIGHTER = 0.6; // cells after which a stone is out of the shade of its neighbours
const SUNK = 0.36; // how far below the turntable the table is

export class Toppling {
  readonly mesh: Mesh;
  readonly #rest: Mesh;
  readonly #alone: Float32Array; // the light when all have left
  readonly #motions = new Map<number, Motion>();
  readonly #owners = new Map<string, number>();

  /** The stones with the foundation first and the one that was being built last; how wide the turntable is. */
  constructor(
    readonly stones: readonly (readonly Cube[])[],
    readonly film: Film,
    readonly rim: number,
  ) {
    const moving = new Set(film.numbers);
    const own = stones.map((stone) => new Room(stone));
    const left = new Room(stones.filter((_, number) => !moving.has(number)).flat());
    this.#rest = meshOf(stones, new Room(stones.flat()), own);
    this.#alone = meshOf(
      stones,
      own.map((room, number) => (moving.has(number) ? room : left)),
      own,
    ).colour;
    this.mesh = {
      ...this.#rest,
      position: this.#rest.position.slice(),
      normal: this.#rest.normal.slice(),
      colour: this.#rest.colour.slice(),
    };
    stones.forEach((stone, number) => {
      for (const cell of stone) this.#owners.set(`${cell.x},${cell.y},${cell.z}`, number);
    });
  }

  /** Brings every stone to where it is after so many seconds. */
  move(seconds: number): void {
    const now = posesAt(this.film, seconds);
    const share = Math.min(1, seconds / (lengthOf(this.film) || 1));
    this.film.numbers.forEach((number, at) => {
      const motion = motionTo(this.film, now, at);
      const [x, y, z] = now.subarray(7 * at, 7 * at + 3) as unknown as [number, number, number];
      motion[7]! -= SUNK * Math.max(0, Math.min(1, Math.hypot(x, z) - this.rim));
      this.#motions.set(number, motion);
      this.#turn(number, motion);
      const [x0, y0, z0] = this.film.poses.subarray(7 * at, 7 * at + 3) as unknown as typeof now;
      this.#shade(number, Math.min(1, Math.hypot(x - x0!, y - y0!, z - z0!) / LIGHTER));
    });
    for (let number = 0; number < this.stones.length; number++)
      if (!this.#motions.has(number)) this.#shade(number, share);
  }

  #turn(number: number, motion: Motion): void {
    const [a, b, c, d, e, f, g, h, i, j, k, l] = motion as unknown as number[];
    const { position, normal } = this.mesh;
    const [from, line] = [this.#rest.position, this.#rest.normal];
    const end = 3 * this.mesh.starts[number + 1]!;
    for (let at = 3 * this.mesh.starts[number]!; at < end; at += 3) {
      const [x, y, z] = [from[at]!, from[at + 1]!, from[at + 2]!];
      position[at] = a! * x + b! * y + c! * z + d!;
      position[at + 1] = e! * x + f! * y + g! * z + h!;
      position[at + 2] = i! * x + j! * y + k! * z + l!;
      const [u, v, w] = [line[at]!, line[at + 1]!, line[at + 2]!];
      normal[at] = a! * u + b! * v + c! * w;
      normal[at + 1] = e! * u + f! * v + g! * w;
      normal[at + 2] = i! * u + j! * v + k! * w;
    }
  }

  #shade(number: number, share: number): void {
    const { colour } = this.mesh;
    const end = 3 * this.mesh.starts[number + 1]!;
    for (let at = 3 * this.mesh.starts[number]!; at < end; at++) {
      const before = this.#rest.colour[at]!;
      colour[at] = before + share * (this.#alone[at]! - before);
    }
  }

  /** How the stone has moved; null for one that stays. */
  motionOf(number: number): Motion | null {
    return this.#motions.get(number) ?? null;
  }

  /** How the stone with that cell has moved. */
  motionAt({ x, y, z }: Point): Motion | null {
    return this.motionOf(this.#owners.get(`${x},${y},${z}`) ?? -1);
  }
}

/** How much room a fall takes: floors and radius at its beginning and at its end. */
export interface Frame {
  readonly floors: number;
  readonly radius: number;
}

const FARTHEST = 1.6; // times what was seen before; a stone that rolls farther is out of sight

/** What of the heap is to be seen: as high as its highest stone, as wide as they lie. */
export function heapOf(stones: readonly (readonly Cube[])[], film: Film, least: number): Frame {
  const moving = new Map(film.numbers.map((number, at) => [number, at]));
  const now = posesAt(film, lengthOf(film));
  const middles = stones.flatMap((stone, number): Vector[] => {
    const at = moving.get(number);
    return at === undefined
      ? stone.map(middleOf)
      : [[now[7 * at]!, now[7 * at + 1]!, now[7 * at + 2]!] as const];
  });
  const far = Math.max(...middles.map(([x, , z]) => Math.hypot(x, z)));
  return {
    floors: Math.max(3, ...middles.map(([, y]) => y + 0.5)),
    radius: Math.max(least, Math.min(FARTHEST * least, far + 1.2)),
  };
}
