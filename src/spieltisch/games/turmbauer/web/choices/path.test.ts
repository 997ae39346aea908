import { expect, it } from "vitest";
import { cellKey, type Cell } from "../view";
import { findPath } from "./path";

const at = (x: number, y: number, z: number): Cell => ({ x, y, z });
const cubes = [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 1, 0), at(2, 0, 0), at(2, 0, 1), at(2, 0, 2)];
const occupied = new Set(cubes.map(cellKey));
const reachable = [at(0, 0, 0), at(0, 1, 0), at(1, 0, 1), at(2, 0, 2)];

it("climbs in single steps, starting from the table", () => {
  expect(findPath(null, at(2, 0, 2), reachable, occupied)).toEqual([
    null,
    at(0, 0, 0),
    at(1, 0, 1),
    at(2, 0, 2),
  ]);
});

it("finds no path without a step", () => {
  expect(findPath(at(0, 0, 0), at(5, 5, 0), reachable, occupied)).toEqual([]);
});

it("needs room above the lower of two fields", () => {
  const roofed = new Set([...occupied, "0,0,2"]);
  expect(findPath(at(0, 0, 0), at(1, 0, 1), [at(1, 0, 1)], roofed)).toEqual([]);
});
