import { describe, expect, it } from "vitest";
import type { Cube } from "../tower";
import { meshOf, Room } from "./bevel";
import { between, eyeOf, from, radiusOf, sideOf } from "./camera";
import { kept } from "./making";
import { meet } from "./ray";
import { seen, sighted } from "./sight";

const cube = (x: number, y: number, z: number): Cube => ({ x, y, z, colour: "natural" });

describe("the mesh", () => {
  it("has its faces outwards and its triangles few", () => {
    const stone = [cube(0, 0, 0), cube(1, 0, 0)];
    const mesh = meshOf([stone], new Room(stone));
    expect(mesh.index.length / 3).toBeLessThan(2 * 110);
    expect(Math.max(...mesh.index)).toBeLessThan(mesh.position.length / 3);
    expect(Math.max(...mesh.position.filter((_, at) => at % 3 === 1))).toBeCloseTo(0.9925, 3);
    expect([...mesh.position, ...mesh.uv, ...mesh.colour].every(Number.isFinite)).toBe(true);
  });

  it("stays within its budget for all stones of four colours", () => {
    const stones = Array.from({ length: 42 }, (_, z) =>
      [0, 1, 2, 3].map((x) => ({ x, y: 0, z, colour: "natural" as const })),
    );
    const mesh = meshOf(stones, new Room(stones.flat()));
    expect(mesh.index.length / 3).toBeLessThan(40_000);
    expect(mesh.starts).toHaveLength(43);
  });

  it("is darker in corners", () => {
    const cells = [cube(0, 0, 0), cube(1, 0, 0), cube(1, 0, 1)];
    const { colour, position, normal } = meshOf([cells], new Room(cells));
    const tops = [...colour.keys()].filter(
      (at) => at % 3 === 0 && normal[at + 1] === 1 && position[at + 1]! < 1 && position[at]! < 0,
    );
    const inner = tops.toSorted((a, b) => position[b]! - position[a]!)[0]!;
    const outer = tops.toSorted((a, b) => position[a]! - position[b]!)[0]!;
    expect(colour[inner]).toBeLessThan(colour[outer]!);
  });
});

describe("a ray of sight", () => {
  const taken = ({ x, y, z }: { x: number; y: number; z: number }): boolean => x === 0 && y === 0 && z === 0;

  it("meets the face it comes from", () => {
    expect(meet([0.5, 0.5, 5], [0, 0, -1], taken)).toEqual({
      cell: { x: 0, y: 0, z: 0 },
      before: { x: 0, y: 0, z: 1 },
      top: true,
    });
    expect(meet([4.5, 0.5, 0.5], [-1, 0, 0], taken)?.before).toEqual({ x: 1, y: 0, z: 0 });
  });

  it("ends at the table", () => {
    expect(meet([4.5, 4.5, 5], [0, 0, -1], taken)).toBeNull();
  });
});

describe("a picture", () => {
  const before = { stones: [[cube(0, 0, 0)]], held: [cube(1, 0, 0)], dark: false };

  it("is the one before if it only looks new", () => {
    expect(kept(before, structuredClone(before))).toBe(before);
  });

  it("keeps what is as before and takes what is not", () => {
    const after = kept(before, { ...structuredClone(before), held: [] });
    expect(after.stones).toBe(before.stones);
    expect(after.held).toEqual([]);
    expect(kept(null, before)).toBe(before);
  });
});

describe("the look", () => {
  it("goes the short way around", () => {
    expect(between({ azimuth: 350, elevation: 20 }, { azimuth: 10, elevation: 30 }, 0.5)).toEqual({
      azimuth: 360,
      elevation: 25,
    });
    expect(sideOf(from("w", false))).toBe("w");
  });

  it("stands farther away on narrow screens", () => {
    const far = (aspect: number): number => Math.hypot(...eyeOf(from("s", true), 9, 5.4, aspect).position);
    expect(far(0.6)).toBeGreaterThan(far(1.4));
    expect(radiusOf([{ x: 9, y: 0 }])).toBeCloseTo(8.51 + 1.4, 1);
  });

  it("goes to where a stone behind the tower is seen", () => {
    const wall = new Set(
      Array.from({ length: 5 }, (_, x) => [0, 1, 2, 3].map((z) => `${x - 2},0,${z}`)).flat(),
    );
    const taken = ({ x, y, z }: { x: number; y: number; z: number }): boolean => wall.has(`${x},${y},${z}`);
    const behind = [{ x: 0, y: 1, z: 0 }];
    expect(seen(behind, taken, from("s", false))).toBe(0);
    expect(sideOf(sighted(from("s", false), behind, taken, false))).not.toBe("s");
    const front = [{ x: 0, y: -1, z: 0 }];
    expect(sideOf(sighted(from("s", false), front, taken, false))).toBe("s");
  });
});
