import { describe, expect, it } from "vitest";
import builtIn from "../board.json";
import { nearness } from "./measure";
import { levels, spread } from "./spread";
import { crossings } from "./stress";
import { planFor, wheelSpot, type Document, type Plan } from "./wheel";

const nearest = ({ spots }: Pick<Plan, "spots">): number => Math.min(...nearness([...spots.values()]));

/** A row of fields that begins at the centre. */
function row(length: number): Document {
  const cells = Array.from({ length }, (_, at) => `X${at}`);
  const names = ["C", ...cells];
  const adjacency = Object.fromEntries(
    names.map((name, at) => [name, [names[at - 1], names[at + 1]].flatMap((other) => other ?? [])]),
  );
  return { cells, adjacency };
}

/** A grid with the centre in its middle, so many fields to each side. */
function grid(half: number): Document {
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
    expect(wheelSpot("AE")).toEqual({ radius: 1.3, turn: 90 });
    expect(wheelSpot("I4")).toEqual({ radius: 2.55, turn: 90 });
    expect(wheelSpot("O31")).toEqual({ radius: 5.1, turn: 348.75 });
    expect(wheelSpot("O32")).toBeNull();
    expect(wheelSpot("X1")).toBeNull();
  });

  it("is the built-in board: two rings, twelve bars, no field upon another", () => {
    const plan = planFor(builtIn);
    expect(plan.wheel?.rings).toHaveLength(2);
    expect(plan.wheel?.bars).toHaveLength(12);
    expect(plan.links).toHaveLength(72);
    expect(nearest(plan)).toBeGreaterThan(0.98);
    expect(plan.width).toBe(11.9);
  });
});

describe("another board", () => {
  it("lies where it says itself, to our measure", () => {
    const plan = planFor({ ...row(2), positions: { C: [100, 100], X0: [300, 100], X1: [300, 500] } });
    expect(plan.wheel).toBeNull();
    expect(nearest(plan)).toBeCloseTo(1.12, 2);
    const [c, x0, x1] = ["C", "X0", "X1"].map((name) => plan.spots.get(name)!);
    expect(x0!.y).toBeCloseTo(c!.y);
    expect(x1!.y - x0!.y).toBeCloseTo(2.24);
    expect(plan.height).toBeCloseTo(2.24 + 1.7);
  });

  it("is not tiny for two fields that lie near each other", () => {
    const positions = { C: [0, 0], X0: [0, 1], X1: [0.01, 1.01], X2: [40, 30] } as Document["positions"];
    const plan = planFor({ ...row(3), positions: positions! });
    expect(nearest(plan)).toBeGreaterThan(1.1);
    expect(plan.width).toBeGreaterThan(plan.height);
  });

  it("does not cross its links without need", () => {
    const plan = planFor(grid(3));
    expect(crossings(plan.links, plan.spots)).toBe(0);
    expect(plan.hub).toBeLessThan(0.81);
  });

  it("is laid out by rings where it says nothing, or nonsense", () => {
    for (const document of [row(1), row(7), grid(2), grid(5), grid(11)]) {
      const plan = planFor(document);
      expect(plan.spots.size).toBe(document.cells.length + 1);
      expect(nearest(plan)).toBeGreaterThan(1);
    }
    const wrong = { ...row(2), positions: { X0: [0, 0], X1: [0, 0] } } as Document;
    expect(nearest(planFor(wrong))).toBeGreaterThan(1);
  });

  it("has short links", () => {
    const plan = planFor(grid(2));
    const far = plan.links.map(([from, to]) => {
      const [one, two] = [plan.spots.get(from)!, plan.spots.get(to)!];
      return Math.hypot(one.x - two.x, one.y - two.y);
    });
    expect(far.reduce((sum, one) => sum + one, 0) / far.length).toBeLessThan(2.2);
  });

  it("counts its rings by steps from the centre", () => {
    const near = new Map(Object.entries(row(3).adjacency));
    expect(levels(near)).toEqual([["X0"], ["X1"], ["X2"]]);
    expect(spread(near).get("C")).toEqual({ x: 0, y: 0 });
  });
});
