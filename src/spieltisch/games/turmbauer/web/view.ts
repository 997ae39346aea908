/** View model: the tower of a view as cubes, and the facts about it that the components draw. */
import type { TurmbauerPoint, TurmbauerSide, TurmbauerView } from "#web/api/types";
import type { Colour, Paint } from "#web/art/palette";

/** A cell of the grid: x to the east, y to the north, z up. */
export type Cell = TurmbauerPoint;
export type View = TurmbauerView;
export type Side = TurmbauerSide;

export interface Cube extends Cell {
  readonly colour: Paint;
}

/** A stone as its cubes. */
export type Stone = readonly Cube[];

const COLOURS: Readonly<Record<string, Colour>> = { R: "red", B: "blue", G: "green", K: "black" };

export const MAX_TRIES = 3; // failed ones after which nothing is built (R14)

export const colourOf = (letter: string): Colour => COLOURS[letter] ?? "black";
export const cellKey = ({ x, y, z }: Cell): string => `${x},${y},${z}`;
export const translate = ({ x, y, z }: Cell, by: Cell): Cell => ({ x: x + by.x, y: y + by.y, z: z + by.z });
export const cellAbove = ({ x, y, z }: Cell): Cell => ({ x, y, z: z + 1 });
export const isSameCell = (one: Cell | null, other: Cell | null): boolean =>
  one === other || (one !== null && other !== null && cellKey(one) === cellKey(other));

/** The paint of a stone's cube in a cell: colour and natural wood alternate like on a checkerboard. */
export function paintAt({ x, y, z }: Cell, colour: Paint): Paint {
  return ((x + y + z) & 1) === 0 ? colour : "natural";
}

const FOUNDATION: Stone = [
  { x: 0, y: 0, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 1, y: 1, z: 0 },
].map((cell) => ({ ...cell, colour: paintAt(cell, "brown") }));

/** The stones of the tower; the foundation comes first. */
export function towerStones(view: View): Stone[] {
  return [
    FOUNDATION,
    ...view.tower.map(({ colour, cells }) =>
      cells.map((cell) => ({ ...cell, colour: paintAt(cell, colourOf(colour)) })),
    ),
  ];
}

export const towerCubes = (view: View): Cube[] => towerStones(view).flat();

/** Indexes cubes by the keys of their cells. */
export const indexCubes = (cubes: readonly Cube[]): Map<string, Cube> =>
  new Map(cubes.map((cube) => [cellKey(cube), cube]));

/** The number of floors; the foundation is floor 1. */
export const countFloors = (cells: readonly Cell[]): number => 1 + Math.max(...cells.map(({ z }) => z));

/** The side whose turn it is. */
export const activeSide = (view: View): Side | undefined =>
  view.sides.find(({ colour }) => colour === view.colour);

/** The number of stones that a side started with, which is its number of rounds. */
export const initialStones = ({ tower }: View, { colour, stock, box }: Side): number =>
  stock.length + box.length + tower.filter((stone) => stone.colour === colour).length;

/** The height of a pawn on a cube; 0 on the table. */
export const heightOn = (field: Cell | null): number => (field ? field.z + 1 : 0);

export const collapsed = (view: View): boolean => view.outcome?.ending === "collapse";

/** The cubes that break a tie: those in a seat's boxes, and after a collapse those in its stocks too. */ // R20, R22
export function countTieBreakCubes(view: View, seat: number): number {
  const kinds = view.sides
    .filter((side) => side.seat === seat)
    .flatMap(({ box, stock }) => (collapsed(view) ? [...box, ...stock] : box));
  return kinds.reduce((sum, kind) => sum + Number(kind[0]), 0);
}
