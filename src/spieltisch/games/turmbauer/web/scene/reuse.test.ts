import { describe, expect, it } from "vitest";
import type { Cube } from "../view";
import { reuseUnchanged } from "./reuse";

const cube = (x: number, y: number, z: number): Cube => ({ x, y, z, colour: "natural" });

describe("a state", () => {
  const before = { stones: [[cube(0, 0, 0)]], held: [cube(1, 0, 0)], dark: false };

  it("is the old one if nothing differs", () => {
    expect(reuseUnchanged(before, structuredClone(before))).toBe(before);
  });

  it("keeps equal parts of the old one", () => {
    const after = reuseUnchanged(before, { ...structuredClone(before), held: [] });
    expect(after.stones).toBe(before.stones);
    expect(after.held).toEqual([]);
    expect(reuseUnchanged(null, before)).toBe(before);
  });
});
