import { expect, test } from "vitest";
import { soundOf } from "./sounds";

test.each([
  ["draw", "?", null],
  ["move", "I4:BB", "stone"],
  ["move", "A1:?", "stone"],
  ["move", "pass", null],
  ["move", ".", null],
] as const)("%s %s sounds like %s", (kind, text, sound) => {
  expect(soundOf({ kind, text })).toBe(sound);
});
