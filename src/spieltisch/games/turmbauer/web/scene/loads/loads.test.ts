import { describe, expect, it } from "vitest";
import type { Cube } from "../../view";
import { selectLabels, type LoadLabel } from "./labels";
import type { Load } from "./loads";
import { createRods } from "./rods";

const cube = (x: number, y: number, z: number): Cube => ({ x, y, z, colour: "natural" });
const stones = [
  [cube(0, 0, 0), cube(1, 0, 0), cube(0, 1, 0), cube(1, 1, 0)],
  [cube(0, 0, 1), cube(0, 0, 2)],
];
const loads: Load[] = [
  { carried: 0, carrier: -1, weight: 6, at: [0.5, 0.5, 0] },
  { carried: 1, carrier: 0, weight: 2, at: [0, 0, 1] },
];

describe("the rods", () => {
  it("lead from the carried stone through the contact to the carrier", () => {
    const rods = createRods(loads, stones);
    expect(rods.map(({ from, to }) => [from, to])).toEqual([
      [
        [0, 0.5, 0],
        [0, 0, 0],
      ],
      [
        [-0.5, 2, 0.5],
        [-0.5, 1, 0.5],
      ],
      [
        [-0.5, 1, 0.5],
        [0, 0.5, 0],
      ],
    ]);
  });

  it("have a cross-section that is proportional to the weight", () => {
    const [heavy, light] = createRods(loads, stones).map(({ radius }) => radius ** 2);
    expect(heavy! / light!).toBeCloseTo(3, 5);
  });
});

describe("the labels", () => {
  const label = (x: number, y: number, weight: number): LoadLabel => ({
    x,
    y,
    load: { ...loads[0]!, weight },
  });

  it("are those of the heaviest loads that have room", () => {
    const all = [label(10, 10, 1), label(14, 12, 5), label(90, 10, 2), label(10, 90, 3), label(90, 90, 0.5)];
    const shown = selectLabels(all, [{ x: 92, y: 14 }], 2, [30, 20]);
    expect(shown.map(({ load }) => load.weight)).toEqual([5, 3]);
  });
});
