import { BROWN_3D, PAINTS, mix, type Paint } from "./palette";

/** A position in the grid: x runs to the lower right, y to the upper right, z up. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A cube, or a pawn in the place of one. */
export interface Cell extends Place {
  readonly colour: Paint;
}

type Vector = readonly [number, number, number];
export type Edge = "left" | "top" | "right" | "bottom";

export interface Face {
  readonly side: "top" | "left" | "right";
  /** Transforms the unit square into the face. */
  readonly matrix: string;
  readonly fill: string;
  /** Edges at which another cube rises above this face and shades it. */
  readonly contacts: readonly Edge[];
}

const ACROSS = Math.cos(Math.PI / 6);

/** Isometric projection of a corner of the grid; the unit is the edge of a cube. */
export function project(x: number, y: number, z: number): [number, number] {
  return [(x + y) * ACROSS, (x - y) / 2 - z];
}

/** Bounding box of a drawing; the unit is the edge of a cube. */
export function bounds(cells: readonly Place[]): { x: number; y: number; width: number; height: number } {
  const left = Math.min(...cells.map(({ x, y }) => project(x, y, 0)[0]));
  const right = Math.max(...cells.map(({ x, y }) => project(x + 1, y + 1, 0)[0]));
  const top = Math.min(...cells.map(({ x, y, z }) => project(x, y + 1, z + 1)[1]));
  const bottom = Math.max(...cells.map(({ x, y, z }) => project(x + 1, y, z)[1]));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// A face is a unit square with its first corner `at`; `across` and `down` are steps in the grid.
const FACES: readonly { side: Face["side"]; normal: Vector; at: Vector; across: Vector; down: Vector }[] = [
  { side: "left", normal: [0, -1, 0], at: [0, 0, 1], across: [1, 0, 0], down: [0, 0, -1] },
  { side: "right", normal: [1, 0, 0], at: [1, 0, 1], across: [0, 1, 0], down: [0, 0, -1] },
  { side: "top", normal: [0, 0, 1], at: [0, 1, 1], across: [1, 0, 0], down: [0, -1, 0] },
];

const key = (x: number, y: number, z: number): string => `${x},${y},${z}`;

/** Painter's algorithm: the visible faces of all cubes, from back to front. */
export function sortByDepth(cells: readonly Cell[]): { cell: Cell; faces: Face[]; order: number }[] {
  const taken = new Set(cells.map(({ x, y, z }) => key(x, y, z)));
  const high = Math.max(...cells.map(({ z }) => z));
  const covered = ({ x, y, z }: Place): boolean => {
    for (let step = 1; z + step <= high; step++)
      if (taken.has(key(x + step, y - step, z + step))) return true;
    return false;
  };
  return cells
    .filter((cell) => !covered(cell))
    .map((cell) => ({ cell, faces: facesOf(cell, taken), order: depth(cell) }))
    .sort((a, b) => a.order - b.order);
}

/** Depth: larger is nearer to the eye. */
export function depth({ x, y, z }: Place): number {
  return x - y + z;
}

function facesOf({ x, y, z, colour }: Cell, taken: ReadonlySet<string>): Face[] {
  const at = (...steps: Vector[]): boolean =>
    taken.has(key(...steps.reduce<Vector>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [x, y, z])));
  return FACES.filter(({ normal }) => !at(normal)).map(({ side, normal, at: corner, across, down }) => {
    const back = (v: Vector): Vector => [-v[0], -v[1], -v[2]];
    const neighbours: [Edge, Vector][] = [
      ["left", back(across)],
      ["top", back(down)],
      ["right", across],
      ["bottom", down],
    ];
    const numbers = [
      ...project(...across),
      ...project(...down),
      ...project(x + corner[0], y + corner[1], z + corner[2]),
    ];
    return {
      side,
      matrix: `matrix(${numbers.map((value) => +value.toFixed(4)).join(" ")})`,
      fill: shaded(colour, side),
      contacts: neighbours.filter(([, step]) => at(normal, step)).map(([edge]) => edge),
    };
  });
}

const DARK = "#2a1400";

function shaded(colour: Paint, side: Face["side"]): string {
  const solid = colour === "brown" ? BROWN_3D : PAINTS[colour].solid;
  if (side === "top") return mix(solid, "#ffffff", colour === "black" ? 0.16 : 0.2);
  return mix(solid, DARK, side === "left" ? 0.06 : 0.3);
}
