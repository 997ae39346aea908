import { expect, test } from "vitest";
import { pebblesOf, pileOf, type View } from "./reading";

const pile = (size: number, pebbles: number[] | null = null) => ({ size, pebbles });

test("what can be laid is known by its letter, and what stops is no pebble", () => {
  const choices = ["R", "r", "G", "."].map((text) => ({ text, words: text, paths: [] }));
  expect(pebblesOf(choices)).toEqual([
    { choice: choices[0], colour: "red", faceDown: false },
    { choice: choices[1], colour: "red", faceDown: true },
    { choice: choices[2], colour: "green", faceDown: false },
  ]);
});

test("others' pebbles show their backs", () => {
  const view = { shown: [pile(2, [1, 0, 1]), pile(2)], hidden: [pile(1, [0, 1, 0]), pile(0)] };
  expect(pileOf(view as unknown as View, 0)).toEqual(["red", "green", "blue"]);
  expect(pileOf(view as unknown as View, 1)).toEqual(["back", "back"]);
});
