import { describe, expect, it } from "vitest";
import builtIn from "../board.json";
import { cycle, step } from "./roam";
import { planFor } from "./wheel";
import { aim, held, over, pinched, under, WHOLE } from "./zoom";

const plan = planFor(builtIn);

describe("the arrow keys", () => {
  it("go along the links, over the centre to the other side", () => {
    expect(step(plan, "I4", "ArrowLeft")).toBe("AE");
    expect(step(plan, "AE", "ArrowLeft")).toBe("AW");
    expect(step(plan, "AN", "ArrowDown")).toBe("AS");
    expect(step(plan, "I4", "ArrowUp")).toBe("I3");
    expect(step(plan, "O0", "ArrowRight")).toBe("O1");
    expect(step(plan, "O0", "ArrowUp")).toBeNull();
    expect(step(plan, "O0", "a")).toBeNull();
  });

  it("reach every field", () => {
    const met = new Set(["AN"]);
    for (const name of met)
      for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
        const next = step(plan, name, key);
        if (next) met.add(next);
      }
    expect(met.size).toBe(builtIn.cells.length);
  });

  it("come round to the first again", () => {
    expect(cycle(["a", "b"], "b", 1)).toBe("a");
    expect(cycle(["a", "b"], null, -1)).toBe("b");
    expect(cycle([], "a", 1)).toBeNull();
  });
});

describe("the lens", () => {
  const u = 28.6;
  const board = { width: 11.9 * u, height: 11.9 * u };
  const box = { width: 344, height: 340 };

  it("makes fields wide and stays over the board", () => {
    const lens = over(plan.spots.get("O8")!, u, board, box);
    expect(lens.z * u).toBeCloseTo(50);
    expect(lens.x).toBeCloseTo((board.width * lens.z - box.width) / -2);
    expect(lens.y).toBeCloseTo(0);
    expect(held({ ...lens, x: 1e6 }, board, box).x).toBeCloseTo(-lens.x);
  });

  it("follows two fingers, and comes nearer as they part", () => {
    const lens = over({ x: 2, y: 1 }, u, board, box);
    const fingers = [
      { x: -20, y: 10 },
      { x: 60, y: 10 },
    ] as const;
    const along = [
      { x: -10, y: 40 },
      { x: 70, y: 40 },
    ] as const;
    const apart = [
      { x: -30, y: 10 },
      { x: 70, y: 10 },
    ] as const;
    expect(pinched(lens, fingers, along, 3)).toEqual({ z: lens.z, x: lens.x + 10, y: lens.y + 30 });
    const nearer = pinched(lens, fingers, apart, 3);
    const middle = { x: 20, y: 10 };
    expect(nearer.z).toBeCloseTo(lens.z * 1.25);
    expect(under(middle, nearer, u).x).toBeCloseTo(under(middle, lens, u).x);
    expect(pinched(lens, fingers, apart, 1.8).z).toBe(1.8);
    expect(pinched(lens, apart, [middle, middle], 3).z).toBe(1);
  });

  it("knows what lies under a point", () => {
    const lens = over({ x: 2, y: 1 }, u, board, box);
    const point = { x: 2 * u * lens.z + lens.x, y: 1 * u * lens.z + lens.y };
    expect(under(point, lens, u).x).toBeCloseTo(2);
    expect(under(point, WHOLE, u).x).not.toBeCloseTo(2);
  });
});

describe("a tap", () => {
  it("means the lit fields within a finger's breadth, the nearest first", () => {
    const spot = plan.spots.get("O1")!;
    const all = new Set(["O0", "O1", "O2"]);
    expect(aim(spot, plan.spots, all, 50).lit).toEqual(["O1"]);
    expect(aim(spot, plan.spots, all, 20).lit[0]).toBe("O1");
    expect(aim(spot, plan.spots, all, 20).lit).toHaveLength(3);
    expect(aim(spot, plan.spots, new Set(), 50)).toEqual({ lit: [], field: "O1" });
    expect(aim({ x: 4.5, y: 0 }, plan.spots, new Set(), 50).field).toBeNull();
  });
});
