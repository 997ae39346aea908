import { expect, test } from "vitest";
import { pileOf, type View } from "./view";

const pile = (size: number, pebbles: number[] | null = null) => ({ size, pebbles });

test("the pebbles of others show their backs", () => {
  const view = { shown: [pile(2, [1, 0, 1]), pile(2)], hidden: [pile(1, [0, 1, 0]), pile(0)] };
  expect(pileOf(view as unknown as View, 0)).toEqual(["red", "green", "blue"]);
  expect(pileOf(view as unknown as View, 1)).toEqual(["back", "back"]);
});
