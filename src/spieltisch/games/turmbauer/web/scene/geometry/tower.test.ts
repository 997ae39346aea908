import { describe, expect, it } from "vitest";
import type { Cube } from "../../view";
import { OccupancyGrid } from "./occupancy";
import { buildMesh } from "./tower";

const cube = (x: number, y: number, z: number): Cube => ({ x, y, z, colour: "natural" });

describe("the mesh of a tower", () => {
  it("has outward faces and few triangles", () => {
    const stone = [cube(0, 0, 0), cube(1, 0, 0)];
    const mesh = buildMesh([stone], new OccupancyGrid(stone));
    expect(mesh.index.length / 3).toBeLessThan(2 * 110);
    expect(Math.max(...mesh.index)).toBeLessThan(mesh.position.length / 3);
    expect(Math.max(...mesh.position.filter((_, at) => at % 3 === 1))).toBeCloseTo(0.9925, 3);
    expect([...mesh.position, ...mesh.uv, ...mesh.colour].every(Number.isFinite)).toBe(true);
  });

  it("stays within its budget for all stones of four colours", () => {
    const stones = Array.from({ length: 42 }, (_, z) =>
      [0, 1, 2, 3].map((x) => ({ x, y: 0, z, colour: "natural" as const })),
    );
    const mesh = buildMesh(stones, new OccupancyGrid(stones.flat()));
    expect(mesh.index.length / 3).toBeLessThan(40_000);
    expect(mesh.starts).toHaveLength(43);
  });

  it("is darker in corners", () => {
    const cells = [cube(0, 0, 0), cube(1, 0, 0), cube(1, 0, 1)];
    const { colour, position, normal } = buildMesh([cells], new OccupancyGrid(cells));
    const tops = [...colour.keys()].filter(
      (at) => at % 3 === 0 && normal[at + 1] === 1 && position[at + 1]! < 1 && position[at]! < 0,
    );
    const inner = tops.toSorted((a, b) => position[b]! - position[a]!)[0]!;
    const outer = tops.toSorted((a, b) => position[a]! - position[b]!)[0]!;
    expect(colour[inner]).toBeLessThan(colour[outer]!);
  });
});
