import { describe, expect, it } from "vitest";
import { lastTurns } from "./last-turns";
import type { View } from "../view";

const field = (name: string, face_up: number): object => ({ name, face_up, bridge: null });
const view = { fields: [field("I1", 1), field("I2", 2), field("I3", 0)] } as unknown as View;

describe("the marks of last turns", () => {
  it("has the fields of every seat, but not the chain that is drawn anyway", () => {
    const marks = [
      { seat: 0, mark: { fields: ["I1"], points: 3 } },
      { seat: 1, mark: { fields: ["I2"], points: 10 } },
    ];
    expect(lastTurns(view, marks, ["I2"])).toEqual([{ seat: 0, fields: ["I1"], points: 3 }]);
    expect(lastTurns(view, marks, [])).toHaveLength(2);
  });

  it("leaves out what does not lie on the board any more", () => {
    expect(lastTurns(view, [{ seat: 0, mark: { fields: ["I3"], points: 1 } }], [])).toEqual([]);
  });
});
