/** What carries what, as the server tells it, and which of its numbers are written beside the tower. */

/** What one stone carries of another: 0 is the foundation, -1 the table; weights in cubes, `at` where they touch. */
export interface Load {
  readonly carried: number;
  readonly carrier: number;
  readonly weight: number;
  readonly at: readonly [number, number, number];
}

/** As the server tells it. */
export interface Inside {
  readonly loads: readonly Load[];
  readonly firm: { readonly word: "firm" | "wobbles" | "falls"; readonly degrees: readonly number[] };
}

/** Where the middle of a contact is on the screen's axes. */
export const touchOf = ({ at: [x, y, z] }: Load): [number, number, number] => [x - 0.5, z, 0.5 - y];

/** A word on the screen: where it belongs, and what it says. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly load: Load;
}

/** The labels that have room, the heaviest first, none over another and none over what is kept free. */
export function withRoom(
  labels: readonly Label[],
  kept: readonly { x: number; y: number }[],
  most: number,
  [wide, high]: readonly [number, number],
): Label[] {
  const placed: Label[] = [];
  for (const label of labels.toSorted((one, other) => other.load.weight - one.load.weight)) {
    const close = ({ x, y }: { x: number; y: number }): boolean =>
      Math.abs(x - label.x) < wide && Math.abs(y - label.y) < high;
    if (placed.length < most && ![...placed, ...kept].some(close)) placed.push(label);
  }
  return placed;
}
