/** Markers of highlighted fields: flat discs on top of cubes, with the height of the field. */
import type { Cell } from "../view";
import { HALF } from "./geometry/cube";
import { cellCentre } from "./geometry/vector";

export interface Marker {
  readonly field: Cell;
  /** `last`: where a pawn walked in its last turn. */
  readonly kind: "goal" | "chosen" | "trail" | "last";
}

const SIDE = 8; // tiles per side of the atlas
const PIXELS = 96; // per tile
const TRAIL = 0; // the tile of a trail; those of heights 1 to 31 follow
const CHOSEN = 32; // the first tile of selected heights
const LAST = CHOSEN; // no field has height 0
const LIFT = 0.014; // above the face, against z-fighting

/** Paints the atlas: for every height a glow, a ring and a number. */
export function paintMarkers(canvas: HTMLCanvasElement, dark: boolean): void {
  canvas.width = canvas.height = SIDE * PIXELS;
  const context = canvas.getContext("2d")!;
  const [lit, line] = dark ? ["#ffe2a0", "#17110c"] : ["#fffdf5", "#2a2018"];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `700 ${PIXELS * 0.34}px system-ui, sans-serif`;
  for (let tile = 0; tile < SIDE * SIDE; tile++) {
    context.save();
    context.translate(((tile % SIDE) + 0.5) * PIXELS, (Math.floor(tile / SIDE) + 0.5) * PIXELS);
    const disc = (radius: number, fill: string): void => {
      context.beginPath();
      context.arc(0, 0, radius * PIXELS, 0, 7);
      context.fillStyle = fill;
      context.fill();
    };
    if (tile === TRAIL) {
      disc(0.2, line);
      disc(0.165, "#ffc445");
    } else if (tile === LAST) {
      context.setLineDash([PIXELS * 0.07, PIXELS * 0.08]);
      context.lineWidth = PIXELS * 0.06;
      context.strokeStyle = dark ? lit : line;
      context.beginPath();
      context.arc(0, 0, 0.42 * PIXELS, 0, 7);
      context.stroke();
    } else {
      const chosen = tile >= CHOSEN;
      disc(0.47, "rgb(255 196 70 / 0.8)");
      disc(0.44, line);
      disc(0.41, chosen ? "#2a2018" : lit);
      disc(0.33, line);
      disc(0.3, "#ffc445");
      context.fillStyle = "#2a2018";
      context.fillText(String(tile % CHOSEN), 0, PIXELS * 0.02);
    }
    context.restore();
  }
}

export interface Quads {
  readonly position: Float32Array;
  readonly uv: Float32Array;
  readonly index: Uint16Array;
}

/** Builds the quads of all markers, rotated by quarter turns so that the camera reads the numbers upright. */
export function buildMarkerQuads(markers: readonly Marker[], quarters: number): Quads {
  const corners: readonly [number, number][] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  const position: number[] = [];
  const uv: number[] = [];
  const index: number[] = [];
  markers.forEach(({ field, kind }, at) => {
    const [x, y, z] = cellCentre(field);
    const height = Math.min(31, field.z + 1);
    const tile = { trail: TRAIL, last: LAST, chosen: CHOSEN + height, goal: height }[kind];
    corners.forEach(([a, b], corner) => {
      position.push(x + a / 2, y + HALF + LIFT, z - b / 2);
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
