import { describe, expect, it } from "vitest";
import { compassDirection } from "./orbit.svelte";

describe("the arrows", () => {
  it("point away from the camera, to the right, towards it, to the left", () => {
    const ways = (side: string): string[] => [0, 1, 2, 3].map((quarters) => compassDirection(side, quarters));
    expect(ways("s")).toEqual(["north", "east", "south", "west"]);
    expect(ways("e")).toEqual(["west", "north", "east", "south"]);
    expect(ways("n")).toEqual(["south", "west", "north", "east"]);
    expect(ways("w")).toEqual(["east", "south", "west", "north"]);
  });
});
