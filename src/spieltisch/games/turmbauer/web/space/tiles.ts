/** The atlas of the cubes' faces: which tile a cube wears, and how it is painted. */
import { BROWN_3D, mix, PAINTS, type Paint } from "#web/art/palette";
import { symbolOf } from "#web/art/symbols";
import type { Cube } from "../tower";

export interface Tile {
  readonly left: number;
  readonly low: number;
  readonly size: readonly [number, number];
}

const ROWS: readonly Paint[] = ["red", "blue", "green", "black", "natural", "brown"];
const VARIANTS = 3;
const PIXELS = 256;
const GUTTER = 10; // pixels about a face that its neighbours never see

export const WIDTH = VARIANTS * PIXELS;
export const HEIGHT = ROWS.length * PIXELS;

/** Where on the atlas a cube's faces are; cubes of one paint differ in their grain. */
export function tileOf({ x, y, z, colour }: Cube): Tile {
  const column = (((x * 7 + y * 13 + z * 5) % VARIANTS) + VARIANTS) % VARIANTS;
  const row = Math.max(0, ROWS.indexOf(colour));
  const inner = PIXELS - 2 * GUTTER;
  return {
    left: (column * PIXELS + GUTTER) / WIDTH,
    low: 1 - ((row + 1) * PIXELS - GUTTER) / HEIGHT,
    size: [inner / WIDTH, inner / HEIGHT],
  };
}

/** Numbers that look random and are always the same. */
export function scatter(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const GRAIN: Partial<Record<Paint, { ink: string; lines: number; faint: number; deep: number }>> = {
  natural: { ink: "140,88,24", lines: 46, faint: 0.05, deep: 0.13 },
  brown: { ink: "20,4,0", lines: 46, faint: 0.08, deep: 0.2 },
  black: { ink: "255,240,220", lines: 26, faint: 0.015, deep: 0.03 },
};

/** Paints all faces of all paints. */
export function paintTiles(canvas: HTMLCanvasElement): void {
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  ROWS.forEach((paint, row) => {
    for (let column = 0; column < VARIANTS; column++) {
      pen.save();
      pen.translate(column * PIXELS, row * PIXELS);
      pen.beginPath();
      pen.rect(0, 0, PIXELS, PIXELS);
      pen.clip();
      face(pen, paint, 11 + 18 * column + 7 * row);
      pen.restore();
    }
  });
}

function face(pen: CanvasRenderingContext2D, paint: Paint, seed: number): void {
  const solid = paint === "brown" ? BROWN_3D : PAINTS[paint].solid;
  pen.fillStyle = solid;
  pen.fillRect(0, 0, PIXELS, PIXELS);
  const { ink, lines, faint, deep } = GRAIN[paint] ?? { ink: "0,0,0", lines: 26, faint: 0.02, deep: 0.05 };
  const random = scatter(seed);
  pen.lineCap = "round";
  for (let line = 0; line < lines; line++) {
    const [y, swing, phase] = [random() * 270 - 7, 2 + random() * 5, random() * 6.3];
    pen.beginPath();
    for (let x = -8; x <= PIXELS + 8; x += 16)
      pen.lineTo(x, y + swing * Math.sin(x / 95 + phase) + swing * 0.4 * Math.sin(x / 37 + phase));
    pen.strokeStyle = `rgba(${ink},${faint + random() * deep})`;
    pen.lineWidth = 0.8 + random() * 2.6;
    pen.stroke();
  }
  const path = symbolOf(paint);
  if (!path) return;
  const sign = new Path2D(path);
  pen.translate(PIXELS / 2, PIXELS / 2);
  pen.scale(5.2, 5.2);
  pen.translate(-12, -11.5);
  pen.fillStyle = mix(solid, "#ffffff", 0.18);
  pen.fill(sign, "evenodd");
  pen.translate(0, -0.5);
  pen.globalAlpha = 0.94;
  pen.fillStyle = PAINTS[paint].on;
  pen.fill(sign, "evenodd");
}
