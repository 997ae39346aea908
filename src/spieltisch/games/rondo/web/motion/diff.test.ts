import { describe, expect, it } from "vitest";
import type { RondoPile } from "#web/api/types";
import { viewWithStones } from "../layout/fixture";
import { diffViews } from "./diff";

describe("a diff of two views", () => {
  it("has the fields in the order of the chain, and who drew", () => {
    const racks = [4, 2].map((size) => ({ size, stones: null }));
    const before = { ...viewWithStones("AE:P"), racks, bag: { size: 50, stones: null } };
    const after = {
      ...viewWithStones("AE:P I4:? I3:YY"),
      racks: [2, 2].map((size) => ({ size, stones: null })),
      bag: { size: 49, stones: null },
    };
    const found = diffViews(before, after, ["I4", "I3"]);
    expect(found.placed.map(({ field }) => field)).toEqual(["I4", "I3"]);
    expect(found.placed.map(({ slot }) => slot)).toEqual([null, null]);
    expect(found.drawn).toEqual([{ seat: 0, slot: null }]);
    expect(diffViews(after, after, [])).toEqual({ placed: [], drawn: [] });
  });

  it("has the slots of a visible rack", () => {
    const rack = (...stones: number[]): RondoPile => ({
      size: stones.reduce((sum, one) => sum + one),
      stones,
    });
    const before = {
      ...viewWithStones("AE:P"),
      racks: [rack(1, 0, 2, 0, 1)],
      bag: { size: 50, stones: null },
    };
    const after = {
      ...viewWithStones("AE:P I3:YY"),
      racks: [rack(1, 1, 0, 0, 1)],
      bag: { size: 49, stones: null },
    };
    const found = diffViews(before, after, ["I3"]);
    expect(found.placed).toEqual([{ field: "I3", seat: 0, slot: 2 }]);
    expect(found.drawn).toEqual([{ seat: 0, slot: 1 }]);
  });
});
