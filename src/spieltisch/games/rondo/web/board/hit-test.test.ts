import { describe, expect, it } from "vitest";
import builtIn from "../../board.json";
import { layoutBoard } from "../layout/board";
import { hitTest } from "./hit-test";

const layout = layoutBoard(builtIn);

describe("a hit test", () => {
  it("finds the highlighted fields within a finger's reach, the nearest first", () => {
    const spot = layout.spots.get("O1")!;
    const all = new Set(["O0", "O1", "O2"]);
    expect(hitTest(spot, layout.spots, all, 50).highlighted).toEqual(["O1"]);
    expect(hitTest(spot, layout.spots, all, 20).highlighted[0]).toBe("O1");
    expect(hitTest(spot, layout.spots, all, 20).highlighted).toHaveLength(3);
    expect(hitTest(spot, layout.spots, new Set(), 50)).toEqual({ highlighted: [], field: "O1" });
    expect(hitTest({ x: 4.5, y: 0 }, layout.spots, new Set(), 50).field).toBeNull();
  });
});
