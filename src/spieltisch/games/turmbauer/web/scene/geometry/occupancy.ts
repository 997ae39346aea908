/** Occupancy grid of the cells of a tower. */
import type { Cell } from "../../view";
import type { Vector } from "./vector";

const SAMPLE_OFFSETS = [-0.35, 0.35];

export class OccupancyGrid {
  readonly #min: Vector;
  readonly #size: Vector;
  readonly #cells: Uint8Array;

  constructor(cells: readonly Cell[]) {
    const range = (axis: keyof Cell): [number, number] => [
      Math.min(...cells.map((cell) => cell[axis])) - 2,
      Math.max(...cells.map((cell) => cell[axis])) + 3,
    ];
    const [x, y, z] = [range("x"), range("y"), range("z")];
    this.#min = [x[0], y[0], z[0]];
    this.#size = [x[1] - x[0], y[1] - y[0], z[1] - z[0]];
    this.#cells = new Uint8Array(this.#size[0] * this.#size[1] * this.#size[2]);
    for (const cell of cells) this.#cells[this.#index(cell.x, cell.y, cell.z)] = 1;
  }

  #index(x: number, y: number, z: number): number {
    const a = x - this.#min[0];
    const b = y - this.#min[1];
    const c = z - this.#min[2];
    if (a < 0 || b < 0 || c < 0 || a >= this.#size[0] || b >= this.#size[1] || c >= this.#size[2]) return -1;
    return a + this.#size[0] * (b + this.#size[1] * c);
  }

  has(x: number, y: number, z: number): boolean {
    return this.#cells[this.#index(x, y, z)] === 1;
  }

  /** Ambient occlusion: the share of the surroundings of a point that wood or the table takes. */
  occlusionAt([x, y, z]: Vector): number {
    let occupied = 0;
    for (const a of SAMPLE_OFFSETS)
      for (const b of SAMPLE_OFFSETS)
        for (const c of SAMPLE_OFFSETS) {
          const up = Math.floor(y + b);
          if (up < 0 || this.has(Math.floor(x + a + 1), Math.floor(1 - z - c), up)) occupied++;
        }
    return occupied / 8;
  }
}
