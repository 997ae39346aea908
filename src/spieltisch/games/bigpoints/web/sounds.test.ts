import { expect, test } from "vitest";
import { soundOf } from "./sounds";

test.each([
  ["draw", "r", null],
  ["move", "y-", "disc"],
  ["move", "*p<+", "disc"],
  ["move", "b^", "wood"],
  ["move", "g0", "wood"],
  ["move", ".", null],
] as const)("%s %s sounds like %s", (kind, text, sound) => {
  expect(soundOf({ kind, text })).toBe(sound);
});
