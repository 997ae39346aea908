/** What is lit on the tower: flat signs on top of cubes, with the height to be reached. */
import type { Point } from "../tower";
import { middleOf } from "./bevel";

export interface Mark {
  readonly field: Point;
  readonly kind: "goal" | "chosen" | "trail";
}

const SIDE = 8; // tiles each way
const PIXELS = 96;
const TRAIL = 0;
const CHOSEN = 32; // heights up to 31 lit, then the same chosen
const LIFT = 0.014; // above the face

/** Paints a sign for every height: a pool of light, a ring, a number. */
export function paintMarks(canvas: HTMLCanvasElement, dark: boolean): void {
  canvas.width = canvas.height = SIDE * PIXELS;
  const pen = canvas.getContext("2d")!;
  const [lit, line] = dark ? ["#ffe2a0", "#17110c"] : ["#fffdf5", "#2a2018"];
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `700 ${PIXELS * 0.34}px system-ui, sans-serif`;
  for (let tile = 0; tile < SIDE * SIDE; tile++) {
    pen.save();
    pen.translate(((tile % SIDE) + 0.5) * PIXELS, (Math.floor(tile / SIDE) + 0.5) * PIXELS);
    const disc = (radius: number, fill: string): void => {
      pen.beginPath();
      pen.arc(0, 0, radius * PIXELS, 0, 7);
      pen.fillStyle = fill;
      pen.fill();
    };
    if (tile === TRAIL) {
      disc(0.2, line);
      disc(0.165, "#ffc445");
    } else {
      const chosen = tile >= CHOSEN;
      disc(0.47, "rgb(255 196 70 / 0.8)");
      disc(0.44, line);
      disc(0.41, chosen ? "#2a2018" : lit);
      disc(0.33, line);
      disc(0.3, "#ffc445");
      pen.fillStyle = "#2a2018";
      pen.fillText(String(tile % CHOSEN), 0, PIXELS * 0.02);
    }
    pen.restore();
  }
}

export interface Quads {
  readonly position: Float32Array;
  readonly uv: Float32Array;
  readonly index: Uint16Array;
}

/** The signs as one mesh; they lie so that they are read from one side. */
export function quadsOf(marks: readonly Mark[], quarters: number): Quads {
  const corners: readonly [number, number][] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  const position: number[] = [];
  const uv: number[] = [];
  const index: number[] = [];
  marks.forEach(({ field, kind }, at) => {
    const [x, y, z] = middleOf(field);
    const height = Math.min(31, field.z + 1);
    const tile = kind === "trail" ? TRAIL : kind === "chosen" ? CHOSEN + height : height;
    corners.forEach(([a, b], corner) => {
      position.push(x + a / 2, y + 0.4925 + LIFT, z - b / 2);
      const [u, v] = corners[(corner - quarters + 8) % 4]!;
      uv.push(((tile % SIDE) + (u + 1) / 2) / SIDE, 1 - (Math.floor(tile / SIDE) + (1 - v) / 2) / SIDE);
    });
    index.push(...[0, 1, 2, 0, 2, 3].map((corner) => 4 * at + corner));
  });
  return {
    position: new Float32Array(position),
    uv: new Float32Array(uv),
    index: new Uint16Array(index),
  };
}
