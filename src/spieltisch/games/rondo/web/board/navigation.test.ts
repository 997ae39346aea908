import { describe, expect, it } from "vitest";
import builtIn from "../../board.json";
import { layoutBoard } from "../layout/board";
import { cycleFields, neighbourByKey } from "./navigation";

const layout = layoutBoard(builtIn);

describe("the arrow keys", () => {
  it("follow the links, across the centre to the other side", () => {
    expect(neighbourByKey(layout, "I4", "ArrowLeft")).toBe("AE");
    expect(neighbourByKey(layout, "AE", "ArrowLeft")).toBe("AW");
    expect(neighbourByKey(layout, "AN", "ArrowDown")).toBe("AS");
    expect(neighbourByKey(layout, "I4", "ArrowUp")).toBe("I3");
    expect(neighbourByKey(layout, "O0", "ArrowRight")).toBe("O1");
    expect(neighbourByKey(layout, "O0", "ArrowUp")).toBeNull();
    expect(neighbourByKey(layout, "O0", "a")).toBeNull();
  });

  it("reach every field", () => {
    const reached = new Set(["AN"]);
    for (const name of reached)
      for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
        const next = neighbourByKey(layout, name, key);
        if (next) reached.add(next);
      }
    expect(reached.size).toBe(builtIn.cells.length);
  });

  it("wrap around", () => {
    expect(cycleFields(["a", "b"], "b", 1)).toBe("a");
    expect(cycleFields(["a", "b"], null, -1)).toBe("b");
    expect(cycleFields([], "a", 1)).toBeNull();
  });
});
