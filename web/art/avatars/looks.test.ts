// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { render } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { makeSeat } from "../../table/state/fixtures";
import Avatar from "../Avatar.svelte";
import { FACES } from "./faces";
import { BOT_NAMES, COIN_NAMES, FACE_NAMES, levelOf, lookOfSeat } from "./looks";

test("bots have the names that the table gives them", () => {
  const source = readFileSync("src/spieltisch/table/avatars.py", "utf8");
  const [, block] = /NAMES: .*? = \{(.*?)\n\}/s.exec(source)!;
  const given = Object.fromEntries(
    [...block!.matchAll(/"(\w+)": "(\w+)"/g)].map(([, face, name]) => [face, name]),
  );
  expect(given).toEqual(BOT_NAMES);
});

test("every face is drawn, and no two are the same", () => {
  expect(Object.keys(FACES)).toEqual(FACE_NAMES);
  expect(new Set(Object.values(FACES).map((shapes) => JSON.stringify(shapes))).size).toBe(12);
  for (const { d } of Object.values(FACES).flat()) expect(d).not.toContain("NaN");
});

test.each([
  ["level:1", 1],
  ["level:5", 5],
  ["level:6", null],
  ["mc:400", null],
  [null, null],
])("the level of %s is %s", (player, level) => {
  expect(levelOf(player)).toBe(level);
});

test("a bot that plays on for somebody who left has no pegs if that was a person with a coin", () => {
  expect(lookOfSeat(makeSeat({ kind: "bot", player: "level:3", avatar: "hare" })).level).toBe(3);
  expect(lookOfSeat(makeSeat({ kind: "person", player: "level:3", avatar: "hare" })).level).toBeNull();
});

function draw(props: {
  name: string;
  look?: { avatar: "hare" | "blue" | null; level: number | null };
  size?: number;
}) {
  const { container } = render(Avatar, { props });
  return { svg: container.querySelector("svg")!, pegs: container.querySelectorAll("circle[r='4.3']").length };
}

test("pegs tell the level, unless the face is too small for them", () => {
  expect(draw({ name: "Hugo", look: { avatar: "hare", level: 2 } }).pegs).toBe(2);
  expect(draw({ name: "Hugo", look: { avatar: "hare", level: 5 } }).pegs).toBe(5);
  expect(draw({ name: "Hugo", look: { avatar: "hare", level: 5 }, size: 22 }).pegs).toBe(0);
  expect(draw({ name: "Ada", look: { avatar: "hare", level: null } }).pegs).toBe(0);
});

test("a person has a coin with the initial, and the name of a bot gives its face", () => {
  expect(draw({ name: "Ädalina" }).svg.textContent.trim()).toBe("Ä");
  expect(draw({ name: "🦊 Fee" }).svg.textContent.trim()).toBe("🦊");
  expect(draw({ name: "Ada", look: { avatar: "blue", level: null } }).svg.innerHTML).toContain("p-face-blue");
  expect(draw({ name: "Hugo" }).svg.textContent.trim()).toBe("");
  expect(COIN_NAMES).toHaveLength(7);
});
