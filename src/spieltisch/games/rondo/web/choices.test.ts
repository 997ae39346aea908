import { describe, expect, it } from "vitest";
import type { Choice } from "#web/api/types";
import {
  choicesOnField,
  choicesWithStones,
  highlightFields,
  inferSelection,
  selectField,
  toggleStone,
} from "./choices";

const choice = (text: string): Choice => ({ text, words: text }) as Choice;
const CHOICES = "AE:P AE:PP AE:b AE:p AN:B AN:b AN:p pass".split(" ").map(choice);
const texts = (choices: readonly Choice[] | null): string[] | undefined => choices?.map(({ text }) => text);

describe("a stone of the rack", () => {
  it("highlights the fields of its colour, and all others for a bridge", () => {
    const left = choicesWithStones(CHOICES, "B", 1, false);
    expect(texts(left)).toEqual(["AE:b", "AN:B", "AN:b"]);
    expect([...highlightFields(CHOICES, left)]).toEqual([
      ["AE", "down"],
      ["AN", "up"],
    ]);
    expect(texts(selectField(CHOICES, left, "AN"))).toEqual(["AN:B"]);
    expect(texts(selectField(CHOICES, left, "AE"))).toEqual(["AE:b"]);
  });

  it("is joined by others of its colour, if several can be placed together", () => {
    const one = toggleStone(CHOICES, null, "P", false);
    const two = toggleStone(CHOICES, one, "P", false);
    expect(texts(two)).toEqual(["AE:PP"]);
    expect(inferSelection(CHOICES, two)).toEqual({ kind: "stones", letter: "P", count: 2, faceDown: false });
    expect(texts(toggleStone(CHOICES, two, "P", false))).toEqual(["AE:PP"]);
    expect(texts(toggleStone(CHOICES, two, "P", true))).toEqual(texts(one));
    expect(toggleStone(CHOICES, one, "P", true)).toBeNull();
    expect(texts(toggleStone(CHOICES, two, "B", false))).toEqual(["AE:b", "AN:B", "AN:b"]);
  });

  it("can be turned face down", () => {
    const down = choicesWithStones(CHOICES, "P", 1, true);
    expect(inferSelection(CHOICES, down)).toEqual({ kind: "stones", letter: "P", count: 1, faceDown: true });
    expect(texts(selectField(CHOICES, down, "AE"))).toEqual(["AE:p"]);
  });
});

describe("a field", () => {
  it("leaves all its placements to decide between", () => {
    const left = choicesOnField(CHOICES, "AE");
    expect(texts(left)).toEqual(["AE:P", "AE:PP", "AE:b", "AE:p"]);
    expect(inferSelection(CHOICES, left)).toEqual({ kind: "field", field: "AE" });
    expect(selectField(CHOICES, null, "AN")).toHaveLength(3);
  });

  it("is highlighted face up if a stone fits, and as a bridge elsewhere", () => {
    expect([...highlightFields(["AE:b", "AN:b", "AN:B", "."].map(choice), null)]).toEqual([
      ["AE", "down"],
      ["AN", "up"],
    ]);
  });
});
