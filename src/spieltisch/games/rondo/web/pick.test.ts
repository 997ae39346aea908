import { describe, expect, it } from "vitest";
import type { Choice } from "#web/api/types";
import { lights, onField, pickedIn, pointAt, tapStone, withStones } from "./pick";

const say = (text: string): Choice => ({ text, words: text }) as Choice;
const CHOICES = "AE:P AE:PP AE:b AE:p AN:B AN:b AN:p pass".split(" ").map(say);
const texts = (choices: readonly Choice[] | null): string[] | undefined => choices?.map(({ text }) => text);

describe("a stone of the rack", () => {
  it("lights its own fields, and all others for a bridge", () => {
    const left = withStones(CHOICES, "B", 1, false);
    expect(texts(left)).toEqual(["AE:b", "AN:B", "AN:b"]);
    expect([...lights(CHOICES, left)]).toEqual([
      ["AE", "down"],
      ["AN", "up"],
    ]);
    expect(texts(pointAt(CHOICES, left, "AN"))).toEqual(["AN:B"]);
    expect(texts(pointAt(CHOICES, left, "AE"))).toEqual(["AE:b"]);
  });

  it("is joined by its like, where several can lie together", () => {
    const one = tapStone(CHOICES, null, "P", false);
    const two = tapStone(CHOICES, one, "P", false);
    expect(texts(two)).toEqual(["AE:PP"]);
    expect(pickedIn(CHOICES, two)).toEqual({ kind: "stones", letter: "P", number: 2, down: false });
    expect(texts(tapStone(CHOICES, two, "P", false))).toEqual(["AE:PP"]);
    expect(texts(tapStone(CHOICES, two, "P", true))).toEqual(texts(one));
    expect(tapStone(CHOICES, one, "P", true)).toBeNull();
    expect(texts(tapStone(CHOICES, two, "B", false))).toEqual(["AE:b", "AN:B", "AN:b"]);
  });

  it("can be turned face down", () => {
    const down = withStones(CHOICES, "P", 1, true);
    expect(pickedIn(CHOICES, down)).toEqual({ kind: "stones", letter: "P", number: 1, down: true });
    expect(texts(pointAt(CHOICES, down, "AE"))).toEqual(["AE:p"]);
  });
});

describe("a field", () => {
  it("leaves all that can lie on it to decide between", () => {
    const left = onField(CHOICES, "AE");
    expect(texts(left)).toEqual(["AE:P", "AE:PP", "AE:b", "AE:p"]);
    expect(pickedIn(CHOICES, left)).toEqual({ kind: "field", field: "AE" });
    expect(pointAt(CHOICES, null, "AN")).toHaveLength(3);
  });

  it("is lit face up where one stone fits, and by a bridge elsewhere", () => {
    expect([...lights(["AE:b", "AN:b", "AN:B", "."].map(say), null)]).toEqual([
      ["AE", "down"],
      ["AN", "up"],
    ]);
  });
});
