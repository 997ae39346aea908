/** Wooden cubes as one mesh: bevelled edges, a tile of the atlas for each face, darker where others stand close. */
import type { Cube, Point } from "../tower";
import { NECKS, ROUND, SAMPLES, SIDES, type Part, type Vector } from "./block";
import { tileOf, type Tile } from "./tiles";

export interface Mesh {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly uv: Float32Array;
  readonly colour: Float32Array;
  readonly index: Uint32Array;
  /** Where the vertices of every stone begin; the last entry is their number. */
  readonly starts: number[];
}

/** Where the middle of a cell is on the screen's axes; the turntable's middle is the origin. */
export const middleOf = ({ x, y, z }: Point): Vector => [x - 0.5, z + 0.5, 0.5 - y];

const REACH = [-0.35, 0.35];

/** The cells that are taken, in a box that is quick to ask. */
export class Room {
  readonly #low: Vector;
  readonly #size: Vector;
  readonly #cells: Uint8Array;

  constructor(cells: readonly Point[]) {
    const range = (axis: keyof Point): [number, number] => [
      Math.min(...cells.map((cell) => cell[axis])) - 2,
      Math.max(...cells.map((cell) => cell[axis])) + 3,
    ];
    const [x, y, z] = [range("x"), range("y"), range("z")];
    this.#low = [x[0], y[0], z[0]];
    this.#size = [x[1] - x[0], y[1] - y[0], z[1] - z[0]];
    this.#cells = new Uint8Array(this.#size[0] * this.#size[1] * this.#size[2]);
    for (const cell of cells) this.#cells[this.#at(cell.x, cell.y, cell.z)] = 1;
  }

  #at(x: number, y: number, z: number): number {
    const a = x - this.#low[0];
    const b = y - this.#low[1];
    const c = z - this.#low[2];
    if (a < 0 || b < 0 || c < 0 || a >= this.#size[0] || b >= this.#size[1] || c >= this.#size[2]) return -1;
    return a + this.#size[0] * (b + this.#size[1] * c);
  }

  has(x: number, y: number, z: number): boolean {
    return this.#cells[this.#at(x, y, z)] === 1;
  }

  /** How much of what surrounds a point of the screen's axes is taken, by wood or the table. */
  around(x: number, y: number, z: number): number {
    let taken = 0;
    for (const a of REACH)
      for (const b of REACH)
        for (const c of REACH) {
          const up = Math.floor(y + b);
          if (up < 0 || this.has(Math.floor(x + a + 1), Math.floor(1 - z - c), up)) taken++;
        }
    return taken / 8;
  }
}

interface Piece {
  readonly part: Part;
  readonly at: Vector;
  readonly tile: Tile;
  /** The light at every sample; null for what lies in a gap. */
  readonly light: Float32Array | null;
}

function lightOf([x, y, z]: Vector, room: Room): Float32Array {
  return Float32Array.from(SAMPLES, ({ at, normal }) => {
    const far = (by: number): number =>
      room.around(x + at[0] + by * normal[0], y + at[1] + by * normal[1], z + at[2] + by * normal[2]);
    return Math.max(0.5, 1 - 0.5 * far(0.42) - 0.14 * far(0.9));
  });
}

/** A cube's outer faces and its rounded edges; nothing of one that is closed in. */
function* cube(cell: Cube, room: Room, hides: Room): Generator<Piece> {
  const open = SIDES.filter(
    ({ normal }) => !hides.has(cell.x + normal[0], cell.y - normal[2], cell.z + normal[1]),
  );
  if (!open.length) return;
  const at = middleOf(cell);
  const [tile, light] = [tileOf(cell), lightOf(at, room)];
  for (const { part } of open) yield { part, at, tile, light };
  yield { part: ROUND, at, tile, light };
}

function* necks(stone: readonly Cube[]): Generator<Piece> {
  for (const one of stone)
    for (const other of stone) {
      const way = [other.x - one.x, other.z - one.z, other.y - one.y];
      const axis = way.indexOf(1);
      if (axis < 0 || way.filter(Boolean).length > 1) continue;
      const [a, b] = [middleOf(one), middleOf(other)];
      const at: Vector = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
      yield { part: NECKS[axis]!, at, tile: tileOf({ ...one, colour: "natural" }), light: null };
    }
}

/** One room for all stones, or one for each. */
export type Rooms = Room | readonly Room[];

const roomOf = (rooms: Rooms, stone: number): Room => (rooms instanceof Room ? rooms : rooms[stone]!);

/** The stones as one mesh; the shade is that of the rooms they stand in, and so are the faces that nobody sees. */
export function meshOf(stones: readonly (readonly Cube[])[], shade: Rooms, hides: Rooms = shade): Mesh {
  const pieces: Piece[] = [];
  const starts: number[] = [];
  let [vertices, corners] = [0, 0];
  for (const [number, stone] of stones.entries()) {
    starts.push(vertices);
    const before = pieces.length;
    for (const cell of stone) pieces.push(...cube(cell, roomOf(shade, number), roomOf(hides, number)));
    pieces.push(...necks(stone));
    for (const { part } of pieces.slice(before)) {
      vertices += part.sample.length;
      corners += part.index.length;
    }
  }
  starts.push(vertices);
  const mesh: Mesh = {
    position: new Float32Array(3 * vertices),
    normal: new Float32Array(3 * vertices),
    uv: new Float32Array(2 * vertices),
    colour: new Float32Array(3 * vertices),
    index: new Uint32Array(corners),
    starts,
  };
  let [vertex, corner] = [0, 0];
  for (const piece of pieces) {
    for (const at of piece.part.index) mesh.index[corner++] = vertex + at;
    copy(mesh, vertex, piece);
    vertex += piece.part.sample.length;
  }
  return mesh;
}

function copy(mesh: Mesh, first: number, { part, at, tile, light }: Piece): void {
  mesh.normal.set(part.normal, 3 * first);
  for (let vertex = 0; vertex < part.sample.length; vertex++) {
    const to = first + vertex;
    for (let axis = 0; axis < 3; axis++)
      mesh.position[3 * to + axis] = part.position[3 * vertex + axis]! + at[axis]!;
    mesh.uv[2 * to] = tile.left + part.uv[2 * vertex]! * tile.size[0];
    mesh.uv[2 * to + 1] = tile.low + part.uv[2 * vertex + 1]! * tile.size[1];
    const bright = light ? light[part.sample[vertex]!]! : 0.45;
    mesh.colour[3 * to] = bright;
    mesh.colour[3 * to + 1] = bright * (light ? 0.985 : 0.88);
    mesh.colour[3 * to + 2] = bright * (light ? 0.96 : 0.72);
  }
}
