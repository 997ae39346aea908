import { describe, expect, it } from "vitest";
import { outlineDots } from "./outline";

const row = (length: number): { x: number; y: number; z: number }[] =>
  Array.from({ length }, (_, x) => ({ x, y: 0, z: 0 }));

describe("the outline of a stone", () => {
  it("has the twelve edges of a cube", () => {
    expect(outlineDots(row(1))).toHaveLength(12 * 4);
  });

  it("has no edges where cubes are flush", () => {
    expect(outlineDots(row(3))).toHaveLength((8 + 4 * 3) * 4);
  });

  it("has the inner edge of a corner", () => {
    const corner = [...row(2), { x: 0, y: 1, z: 0 }];
    expect(outlineDots(corner)).toHaveLength((2 * 8 + 6) * 4);
  });
});
