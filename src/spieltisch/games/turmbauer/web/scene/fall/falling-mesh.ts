/** Deformable mesh of a falling tower: the vertices of each stone are transformed on the CPU. */
import { cellKey, type Cell, type Stone } from "../../view";
import { OccupancyGrid } from "../geometry/occupancy";
import { buildMesh, type MeshData } from "../geometry/tower";
import { cellCentre, type Vector } from "../geometry/vector";
import { durationOf, posesAt, positionIn, transformTo, type Film, type Transform } from "./film";

const UNSHADED_DISTANCE = 0.6; // cells from its first position, at which a stone leaves the shade of its neighbours
const TABLE_DEPTH = 0.36; // of the table below the turntable

export class FallingMesh {
  readonly mesh: MeshData;
  readonly #initial: MeshData;
  readonly #unshaded: Float32Array; // the colours after all moving stones have left
  readonly #transforms = new Map<number, Transform>();
  readonly #owners = new Map<string, number>();

  /** The stones come in the order of the film's numbers; `rim` is the radius of the turntable. */
  constructor(
    readonly stones: readonly Stone[],
    readonly film: Film,
    readonly rim: number,
  ) {
    const moving = new Set(film.numbers);
    const own = stones.map((stone) => new OccupancyGrid(stone));
    const standing = new OccupancyGrid(stones.filter((_, number) => !moving.has(number)).flat());
    this.#initial = buildMesh(stones, new OccupancyGrid(stones.flat()), own);
    this.#unshaded = buildMesh(
      stones,
      own.map((grid, number) => (moving.has(number) ? grid : standing)),
      own,
    ).colour;
    this.mesh = {
      ...this.#initial,
      position: this.#initial.position.slice(),
      normal: this.#initial.normal.slice(),
      colour: this.#initial.colour.slice(),
    };
    stones.forEach((stone, number) => {
      for (const cell of stone) this.#owners.set(cellKey(cell), number);
    });
  }

  /** Moves every stone to its pose at a time in seconds. */
  seek(seconds: number): void {
    const now = posesAt(this.film, seconds);
    const progress = Math.min(1, seconds / (durationOf(this.film) || 1));
    this.film.numbers.forEach((number, at) => {
      const transform = transformTo(this.film, now, at);
      const [x, y, z] = positionIn(now, at);
      transform[7]! -= TABLE_DEPTH * Math.max(0, Math.min(1, Math.hypot(x, z) - this.rim));
      this.#transforms.set(number, transform);
      this.#transform(number, transform);
      const [x0, y0, z0] = positionIn(this.film.poses, at);
      this.#shade(number, Math.min(1, Math.hypot(x - x0, y - y0, z - z0) / UNSHADED_DISTANCE));
    });
    for (let number = 0; number < this.stones.length; number++)
      if (!this.#transforms.has(number)) this.#shade(number, progress);
  }

  #transform(number: number, transform: Transform): void {
    const [a, b, c, d, e, f, g, h, i, j, k, l] = transform as unknown as number[];
    const { position, normal } = this.mesh;
    const [positions, normals] = [this.#initial.position, this.#initial.normal];
    const end = 3 * this.mesh.starts[number + 1]!;
    for (let at = 3 * this.mesh.starts[number]!; at < end; at += 3) {
      const [x, y, z] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
      position[at] = a! * x + b! * y + c! * z + d!;
      position[at + 1] = e! * x + f! * y + g! * z + h!;
      position[at + 2] = i! * x + j! * y + k! * z + l!;
      const [u, v, w] = [normals[at]!, normals[at + 1]!, normals[at + 2]!];
      normal[at] = a! * u + b! * v + c! * w;
      normal[at + 1] = e! * u + f! * v + g! * w;
      normal[at + 2] = i! * u + j! * v + k! * w;
    }
  }

  #shade(number: number, share: number): void {
    const { colour } = this.mesh;
    const end = 3 * this.mesh.starts[number + 1]!;
    for (let at = 3 * this.mesh.starts[number]!; at < end; at++) {
      const before = this.#initial.colour[at]!;
      colour[at] = before + share * (this.#unshaded[at]! - before);
    }
  }

  /** The transform of a stone; null if it does not move. */
  transformOf(number: number): Transform | null {
    return this.#transforms.get(number) ?? null;
  }

  /** The transform of the stone in a cell. */
  transformAt(cell: Cell): Transform | null {
    return this.transformOf(this.#owners.get(cellKey(cell)) ?? -1);
  }
}

/** The extent that the camera frames. */
export interface Extent {
  readonly floors: number;
  readonly radius: number;
}

const MAX_GROWTH = 1.6; // of the radius; a stone that rolls farther leaves the frame

/** The extent of the stones at the end of a film, given the radius before. */
export function finalExtent(stones: readonly Stone[], film: Film, radius: number): Extent {
  const moving = new Map(film.numbers.map((number, at) => [number, at]));
  const now = posesAt(film, durationOf(film));
  const centres = stones.flatMap((stone, number): Vector[] => {
    const at = moving.get(number);
    return at === undefined ? stone.map(cellCentre) : [positionIn(now, at)];
  });
  const far = Math.max(...centres.map(([x, , z]) => Math.hypot(x, z)));
  return {
    floors: Math.max(3, ...centres.map(([, y]) => y + 0.5)),
    radius: Math.max(radius, Math.min(MAX_GROWTH * radius, far + 1.2)),
  };
}
