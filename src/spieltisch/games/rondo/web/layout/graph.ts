/** Types of a board as a graph of fields, and of points in the plane. */
export interface Point {
  x: number;
  y: number;
}

/** The linked fields of each field. */
export type Neighbours = ReadonlyMap<string, readonly string[]>;

export type Link = readonly [string, string];

export interface BoardGraph {
  cells: readonly string[];
  adjacency: Readonly<Record<string, readonly string[]>>;
  positions?: Readonly<Record<string, readonly [number, number]>>;
}
