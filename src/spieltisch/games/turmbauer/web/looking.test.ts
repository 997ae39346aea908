import { describe, expect, it } from "vitest";
import { heading } from "./looking.svelte";

describe("the arrows", () => {
  it("lead away from whoever looks, to the right, towards, to the left", () => {
    const ways = (side: string): string[] => [0, 1, 2, 3].map((quarters) => heading(side, quarters));
    expect(ways("s")).toEqual(["north", "east", "south", "west"]);
    expect(ways("e")).toEqual(["west", "north", "east", "south"]);
    expect(ways("n")).toEqual(["south", "west", "north", "east"]);
    expect(ways("w")).toEqual(["east", "south", "west", "north"]);
  });
});
