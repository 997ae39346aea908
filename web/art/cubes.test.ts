import { expect, test } from "vitest";
import { bounds, sortByDepth, type Cell } from "./cubes";

const cube = (x: number, y: number, z: number): Cell => ({ x, y, z, colour: "natural" });

test("a single cube shows its top and its two near sides", () => {
  const [painted] = sortByDepth([cube(0, 0, 0)]);
  expect(painted!.faces.map(({ side }) => side)).toEqual(["left", "right", "top"]);
});

test("nearer cubes are painted later", () => {
  const near = cube(1, -1, 0);
  const far = cube(0, 1, 1);
  expect(sortByDepth([near, far]).map(({ cell }) => cell)).toEqual([far, near]);
});

test("a face that another cube touches is left out", () => {
  const [lower] = sortByDepth([cube(0, 0, 0), cube(0, 0, 1)]);
  expect(lower!.faces.map(({ side }) => side)).toEqual(["left", "right"]);
});

test("a cube that stands right behind another is left out", () => {
  const front = cube(1, -1, 1);
  expect(sortByDepth([cube(0, 0, 0), front]).map(({ cell }) => cell)).toEqual([front]);
});

test("a cube casts its shadow on the top beside it", () => {
  const painted = sortByDepth([cube(0, 0, 0), cube(-1, 0, 1)]);
  const top = painted.find(({ cell }) => cell.z === 0)!.faces.find(({ side }) => side === "top")!;
  expect(top.contacts).toEqual(["left"]);
});

test("the bounding box of a cube is that of a hexagon", () => {
  const box = bounds([cube(0, 0, 0)]);
  expect([box.x, box.y, box.width, box.height].map((value) => +value.toFixed(3))).toEqual([
    0, -1.5, 1.732, 2,
  ]);
});
