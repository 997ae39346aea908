import { expect, test } from "vitest";
import { VIEW, viewWith } from "../fixture";
import { diffViews } from "./diff";

test("a diff names the walk, the taken disc and who took it", () => {
  const now = viewWith({
    pawns: [0, 8, 4, 2, null],
    track: "rgbypw.rgb",
    hands: [VIEW.hands[0]!, { size: 4, discs: null }],
  });
  expect(diffViews(VIEW, now)).toEqual({
    walks: [{ pawn: "r", from: 1, to: 8 }],
    taken: [{ letter: "k", place: 7, seat: 1 }],
    restored: [],
    payer: null,
  });
  expect(diffViews(now, VIEW)).toMatchObject({ taken: [], restored: [7] });
  expect(diffViews(VIEW, viewWith({ seat: 1 }))).toBeNull();
  expect(diffViews(VIEW, viewWith({ laid: "b" }))).toBeNull();
  expect(diffViews(VIEW, viewWith({ track: "......krgb" }))).toBeNull();
});

test("handing in a black disc and taking another are both in the diff", () => {
  const now = viewWith({ track: "rgbyp.krgb", pawns: [0, 8, 4, 2, null], handed_in: 1 });
  expect(diffViews(VIEW, now)).toMatchObject({ taken: [{ letter: "w", place: 6, seat: 0 }], payer: 0 });
  expect(diffViews(now, VIEW)).toMatchObject({ restored: [6], payer: null });
});
