/** The tower as the view tells it: its cubes, fields and pawns, and how the notation names them. */
import type { Colour, Paint } from "#web/art/palette";
import type { Choice, TurmbauerPoint, TurmbauerSide, TurmbauerView } from "#web/api/types";

export type Point = TurmbauerPoint;
export type View = TurmbauerView;
export type Side = TurmbauerSide;

/** A cube, painted. */
export interface Cube extends Point {
  readonly colour: Paint;
}

/** Where a pawn may go: onto a cube, or null for the table; with the ring that it takes. */
export interface Goal {
  readonly choice: Choice;
  readonly field: Point | null;
  readonly ring: "" | "b" | "c";
}

const COLOURS: Readonly<Record<string, Colour>> = { R: "red", B: "blue", G: "green", K: "black" };

export const TRIES = 3; // failed ones after which nothing is built (R14)

export const readView = (view: unknown): View => view as View;
export const colourOf = (letter: string): Colour => COLOURS[letter] ?? "black";
export const keyOf = ({ x, y, z }: Point): string => `${x},${y},${z}`;
export const moved = ({ x, y, z }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y, z: z + by.z });
export const above = ({ x, y, z }: Point): Point => ({ x, y, z: z + 1 });
export const same = (one: Point | null, other: Point | null): boolean =>
  one === other || (one !== null && other !== null && keyOf(one) === keyOf(other));

/** The paint of a cube there, of a stone of that colour: the checkerboard decides. */
export function paintAt({ x, y, z }: Point, colour: Paint): Paint {
  return ((x + y + z) & 1) === 0 ? colour : "natural";
}

const FOUNDATION: readonly Cube[] = [
  { x: 0, y: 0, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 1, y: 1, z: 0 },
].map((cell) => ({ ...cell, colour: paintAt(cell, "brown") }));

/** Every stone as its cubes, the foundation first. */
export function stonesOf(view: View): Cube[][] {
  return [
    [...FOUNDATION],
    ...view.tower.map(({ colour, cells }) =>
      cells.map((cell) => ({ ...cell, colour: paintAt(cell, colourOf(colour)) })),
    ),
  ];
}

export const cubesOf = (view: View): Cube[] => stonesOf(view).flat();

/** The cubes by their cells. */
export const byCell = (cubes: readonly Cube[]): Map<string, Cube> =>
  new Map(cubes.map((cube) => [keyOf(cube), cube]));

/** The highest floor that has cubes; the foundation is floor 1. */
export const floorsOf = (cubes: readonly Point[]): number => 1 + Math.max(...cubes.map(({ z }) => z));

/** The side whose turn it is. */
export const sideOf = (view: View): Side | undefined =>
  view.sides.find(({ colour }) => colour === view.colour);

/** With how many stones a side began: one goes every round. */
export const stonesAtFirst = ({ tower }: View, { colour, stock, box }: Side): number =>
  stock.length + box.length + tower.filter((stone) => stone.colour === colour).length;

const point = (text: string): Point => {
  const [x = 0, y = 0, z = 0] = text.split(",").map(Number);
  return { x, y, z };
};

/** The cells of a place, "@0,0,1;1,0,1"; null for other texts. */
export function placeOf(text: string): Point[] | null {
  return text.startsWith("@") ? text.slice(1).split(";").map(point) : null;
}

/** The notation of a place: its cells by floor, row and column. */
export function placeText(cells: readonly Point[]): string {
  const sorted = cells.toSorted((a, b) => a.z - b.z || a.y - b.y || a.x - b.x);
  return `@${sorted.map(keyOf).join(";")}`;
}

/** The moves among the choices: ">2,1,5" stands on the cube one below that height. */
export function goalsOf(choices: readonly Choice[]): Goal[] {
  return choices.flatMap((choice) => {
    const found = /^([bc]?)>(.+)$/.exec(choice.text);
    if (!found) return [];
    const at = point(found[2]!);
    const field = found[2] === "table" ? null : { ...at, z: at.z - 1 };
    return [{ choice, field, ring: found[1] as Goal["ring"] }];
  });
}

export const heightOf = (field: Point | null): number => (field ? field.z + 1 : 0);
