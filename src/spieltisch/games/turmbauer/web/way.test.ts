import { expect, it } from "vitest";
import { keyOf, type Point } from "./tower";
import { wayTo } from "./way";

const at = (x: number, y: number, z: number): Point => ({ x, y, z });
const cubes = [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 1, 0), at(2, 0, 0), at(2, 0, 1), at(2, 0, 2)];
const taken = new Set(cubes.map(keyOf));
const reached = [at(0, 0, 0), at(0, 1, 0), at(1, 0, 1), at(2, 0, 2)];

it("goes up by single steps, from the table on", () => {
  expect(wayTo(null, at(2, 0, 2), reached, taken)).toEqual([null, at(0, 0, 0), at(1, 0, 1), at(2, 0, 2)]);
});

it("finds none where there is no step", () => {
  expect(wayTo(at(0, 0, 0), at(5, 5, 0), reached, taken)).toEqual([]);
});

it("needs room above the lower of two fields", () => {
  const roofed = new Set([...taken, "0,0,2"]);
  expect(wayTo(at(0, 0, 0), at(1, 0, 1), [at(1, 0, 1)], roofed)).toEqual([]);
});
