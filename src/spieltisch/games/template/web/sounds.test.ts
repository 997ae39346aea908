import { expect, test } from "vitest";
import { soundOf } from "./sounds";

test.each([
  ["draw", "R", null],
  ["move", "R", "stone"],
  ["move", "g", "stone"],
  ["move", "?", "stone"],
  ["move", ".", null],
] as const)("%s %s sounds like %s", (kind, text, sound) => {
  expect(soundOf({ kind, text })).toBe(sound);
});
