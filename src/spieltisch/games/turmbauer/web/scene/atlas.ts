/** Texture atlas of the faces of cubes. */
import { BROWN_3D, mix, PAINTS, type Paint } from "#web/art/palette";
import { symbolOf } from "#web/art/symbols";
import type { Cube } from "../view";

/** The part of the atlas for one cube, in texture coordinates. */
export interface Tile {
  readonly left: number;
  readonly low: number;
  readonly size: readonly [number, number];
}

const ROWS: readonly Paint[] = ["red", "blue", "green", "black", "natural", "brown"];
const VARIANTS = 3; // of the grain
const PIXELS = 256; // per tile
const GUTTER = 10; // pixels around a face, so that its neighbours do not bleed into it

const WIDTH = VARIANTS * PIXELS;
const HEIGHT = ROWS.length * PIXELS;

/** The tile of a cube; cubes of one paint differ in their grain. */
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

/** Seeded pseudo-random numbers between 0 and 1 (linear congruential generator). */
export function seededRandom(seed: number): () => number {
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

/** Paints the atlas: a row per paint, a column per variant. */
export function paintAtlas(canvas: HTMLCanvasElement): void {
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d")!;
  ROWS.forEach((paint, row) => {
    for (let column = 0; column < VARIANTS; column++) {
      context.save();
      context.translate(column * PIXELS, row * PIXELS);
      context.beginPath();
      context.rect(0, 0, PIXELS, PIXELS);
      context.clip();
      paintFace(context, paint, 11 + 18 * column + 7 * row);
      context.restore();
    }
  });
}

function paintFace(context: CanvasRenderingContext2D, paint: Paint, seed: number): void {
  const solid = paint === "brown" ? BROWN_3D : PAINTS[paint].solid;
  context.fillStyle = solid;
  context.fillRect(0, 0, PIXELS, PIXELS);
  const { ink, lines, faint, deep } = GRAIN[paint] ?? { ink: "0,0,0", lines: 26, faint: 0.02, deep: 0.05 };
  const random = seededRandom(seed);
  context.lineCap = "round";
  for (let line = 0; line < lines; line++) {
    const [y, swing, phase] = [random() * 270 - 7, 2 + random() * 5, random() * 6.3];
    context.beginPath();
    for (let x = -8; x <= PIXELS + 8; x += 16)
      context.lineTo(x, y + swing * Math.sin(x / 95 + phase) + swing * 0.4 * Math.sin(x / 37 + phase));
    context.strokeStyle = `rgba(${ink},${faint + random() * deep})`;
    context.lineWidth = 0.8 + random() * 2.6;
    context.stroke();
  }
  const path = symbolOf(paint);
  if (!path) return;
  const symbol = new Path2D(path);
  context.translate(PIXELS / 2, PIXELS / 2);
  context.scale(5.2, 5.2);
  context.translate(-12, -11.5);
  context.fillStyle = mix(solid, "#ffffff", 0.18);
  context.fill(symbol, "evenodd");
  context.translate(0, -0.5);
  context.globalAlpha = 0.94;
  context.fillStyle = PAINTS[paint].on;
  context.fill(symbol, "evenodd");
}
