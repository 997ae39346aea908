import { expect, test } from "vitest";
import { countTieBreakCubes, type View } from "./view";

/** Two players with two colours each: boxes and stocks by colour. */
function ended(ending: string): View {
  const side = (colour: string, seat: number, box: string[], stock: string[]) => ({
    colour,
    seat,
    box,
    stock,
  });
  const sides = [
    side("R", 0, ["6r"], ["2d"]),
    side("B", 1, ["2d", "3i"], []),
    side("G", 0, [], ["1c", "4l"]),
    side("K", 1, [], ["5c"]),
  ];
  return { sides, outcome: { scores: [3, 3], ranks: [1, 1], ending } } as unknown as View;
}

test("cubes in the box break a tie at the end of the game", () => {
  expect([0, 1].map((seat) => countTieBreakCubes(ended("built"), seat))).toEqual([6, 5]);
});

test("after a collapse the cubes in stock count too", () => {
  expect([0, 1].map((seat) => countTieBreakCubes(ended("collapse"), seat))).toEqual([13, 10]);
});
