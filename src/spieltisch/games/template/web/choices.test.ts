import { expect, test } from "vitest";
import { parsePebbleChoices } from "./choices";

test("a letter lays a pebble of its colour, and stopping lays none", () => {
  const choices = ["R", "r", "G", "."].map((text) => ({ text, words: text, paths: [], ends: false }));
  expect(parsePebbleChoices(choices)).toEqual([
    { choice: choices[0], colour: "red", faceDown: false },
    { choice: choices[1], colour: "red", faceDown: true },
    { choice: choices[2], colour: "green", faceDown: false },
  ]);
});
