import { expect, test } from "vitest";
import { soundOf } from "./sounds";

test.each([
  ["draw", "1+6", "dice"],
  ["move", "a3c", null],
  ["move", "@0,0,0;1,0,0", "wood"],
  ["draw", "~n", null],
  ["draw", "stands", null],
  ["draw", "fall 3", "fall"],
  ["move", "b>1,0,2", "disc"],
  ["move", ">table", "disc"],
  ["move", "stay", null],
] as const)("%s %s sounds like %s", (kind, text, sound) => {
  expect(soundOf({ kind, text })).toBe(sound);
});
