import { describe, expect, it } from "vitest";
import builtIn from "../../board.json";
import { layoutBoard, type Layout } from "./board";
import { countCrossings } from "./crossings";
import type { BoardGraph } from "./graph";
import { breadthFirstLevels, layoutRings } from "./rings";
import { nearestDistances } from "./spacing";
import { wheelPosition } from "./wheel";

const nearest = ({ spots }: Pick<Layout, "spots">): number =>
  Math.min(...nearestDistances([...spots.values()]));

/** A row of fields that starts at the centre. */
function row(length: number): BoardGraph {
  const cells = Array.from({ length }, (_, at) => `X${at}`);
  const names = ["C", ...cells];
  const adjacency = Object.fromEntries(
    names.map((name, at) => [name, [names[at - 1], names[at + 1]].flatMap((other) => other ?? [])]),
  );
  return { cells, adjacency };
}

/** A grid with the centre in its middle, and `half` fields to each side. */
function grid(half: number): BoardGraph {
  const name = (x: number, y: number): string => (x || y ? `F${x + half}x${y + half}` : "C");
  const all: [number, number][] = [];
  for (let y = -half; y <= half; y++) for (let x = -half; x <= half; x++) all.push([x, y]);
  const inside = (x: number, y: number): boolean => Math.abs(x) <= half && Math.abs(y) <= half;
  const adjacency = Object.fromEntries(
    all.map(([x, y]) => [
      name(x, y),
      (
        [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ] as const
      )
        .filter(([dx, dy]) => inside(x + dx, y + dy))
        .map(([dx, dy]) => name(x + dx, y + dy)),
    ]),
  );
  return { cells: all.map(([x, y]) => name(x, y)).filter((one) => one !== "C"), adjacency };
}

describe("the wheel", () => {
  it("has its fields at their angles and radii", () => {
    expect(wheelPosition("AE")).toEqual({ radius: 1.3, angle: 90 });
    expect(wheelPosition("I4")).toEqual({ radius: 2.55, angle: 90 });
    expect(wheelPosition("O31")).toEqual({ radius: 5.1, angle: 348.75 });
    expect(wheelPosition("O32")).toBeNull();
    expect(wheelPosition("X1")).toBeNull();
  });

  it("is the built-in board: two rings, twelve bars, no overlapping fields", () => {
    const layout = layoutBoard(builtIn);
    expect(layout.wheel?.rings).toHaveLength(2);
    expect(layout.wheel?.bars).toHaveLength(12);
    expect(layout.links).toHaveLength(72);
    expect(nearest(layout)).toBeGreaterThan(0.98);
    expect(layout.width).toBe(11.9);
  });
});

describe("another board", () => {
  it("has the positions of its file, at our spacing", () => {
    const layout = layoutBoard({ ...row(2), positions: { C: [100, 100], X0: [300, 100], X1: [300, 500] } });
    expect(layout.wheel).toBeNull();
    expect(nearest(layout)).toBeCloseTo(1.12, 2);
    const [c, x0, x1] = ["C", "X0", "X1"].map((name) => layout.spots.get(name)!);
    expect(x0!.y).toBeCloseTo(c!.y);
    expect(x1!.y - x0!.y).toBeCloseTo(2.24);
    expect(layout.height).toBeCloseTo(2.24 + 1.7);
  });

  it("does not shrink because of two fields that are close to each other", () => {
    const positions = { C: [0, 0], X0: [0, 1], X1: [0.01, 1.01], X2: [40, 30] } as BoardGraph["positions"];
    const layout = layoutBoard({ ...row(3), positions: positions! });
    expect(nearest(layout)).toBeGreaterThan(1.1);
    expect(layout.width).toBeGreaterThan(layout.height);
  });

  it("has no needless crossings", () => {
    const layout = layoutBoard(grid(3));
    expect(countCrossings(layout.links, layout.spots)).toBe(0);
    expect(layout.hubRadius).toBeLessThan(0.81);
  });

  it("is laid out in rings if it has no positions, or invalid ones", () => {
    for (const graph of [row(1), row(7), grid(2), grid(5), grid(11)]) {
      const layout = layoutBoard(graph);
      expect(layout.spots.size).toBe(graph.cells.length + 1);
      expect(nearest(layout)).toBeGreaterThan(1);
    }
    const wrong = { ...row(2), positions: { X0: [0, 0], X1: [0, 0] } } as BoardGraph;
    expect(nearest(layoutBoard(wrong))).toBeGreaterThan(1);
  });

  it("has short links", () => {
    const layout = layoutBoard(grid(2));
    const far = layout.links.map(([from, to]) => {
      const [one, two] = [layout.spots.get(from)!, layout.spots.get(to)!];
      return Math.hypot(one.x - two.x, one.y - two.y);
    });
    expect(far.reduce((sum, one) => sum + one, 0) / far.length).toBeLessThan(2.2);
  });

  it("has rings by distance from the centre", () => {
    const neighbours = new Map(Object.entries(row(3).adjacency));
    expect(breadthFirstLevels(neighbours)).toEqual([["X0"], ["X1"], ["X2"]]);
    expect(layoutRings(neighbours).get("C")).toEqual({ x: 0, y: 0 });
  });
});
