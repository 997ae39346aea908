import { expect, test } from "vitest";
import { changesOf } from "./changes";
import { around, route, shapeOf, standing } from "./places";
import { linesOf, moveOf, stageOf, waysOf, worth, type View } from "./reading";
import { fit } from "./track";

const VIEW: View = {
  setup: { edition: "2009", first: 0, options: [], players: 2, rules: 1 },
  viewer: 0,
  phase: "move",
  seat: 0,
  laid: "rgbypwkrgb",
  track: "rgbypwkrgb",
  pawns: [0, 1, 4, 2, null],
  steps: [4, 3, 2, 1, 0].map((value) => ({ value, pawn: value === 4 ? "p" : null })),
  beside: "bryg",
  hands: [
    { size: 4, discs: [0, 0, 0, 0, 2, 1, 1] },
    { size: 3, discs: null },
  ],
  handed_in: 0,
  reach: [
    { pawn: "r", backward: false, landing: 8, ahead: 9, behind: 7 },
    { pawn: "y", backward: false, landing: null, ahead: null, behind: null },
  ],
  outcome: null,
};
const choice = (text: string) => ({ text, words: text, paths: [] });
const after = (part: Partial<View>): View => ({ ...VIEW, ...part });

test("a move is read from its notation", () => {
  expect(moveOf("r+")).toEqual({ pawn: "r", backward: false, take: "ahead" });
  expect(moveOf("*g<-")).toEqual({ pawn: "g", backward: true, take: "behind" });
  expect(moveOf(".")).toBeNull();
});

test("choices become the ways of pawns, with what each can take", () => {
  const ways = waysOf(VIEW, [choice("r+"), choice("r-"), choice("y^"), choice(".")]);
  expect(ways.map(({ pawn, landing }) => [pawn, landing])).toEqual([
    ["r", 8],
    ["y", null],
  ]);
  expect(ways[0]!.offers.map(({ disc, place }) => [disc, place])).toEqual([
    ["g", 9],
    ["k", 7],
  ]);
  expect(ways[1]!.offers[0]!.disc).toBe("y");
});

test("first a pawn is asked for, then its way where there are two, then a disc", () => {
  const ways = waysOf(VIEW, [choice("r+"), choice("r-"), choice("y^")]);
  expect(stageOf(ways, false)).toBe("pawn");
  expect(stageOf(ways, true)).toBe("pawn");
  expect(stageOf([ways[0]!, { ...ways[0]!, backward: true }], true)).toBe("way");
  expect(stageOf([ways[0]!], true)).toBe("take");
});

test("a hand is worth what its colours have reached, and white what other colours are held", () => {
  expect(worth(VIEW, [0, 0, 0, 0, 2, 1, 1])).toBe(2 * 4 + 2);
  const printed = after({
    steps: [..."rypbg"].map((pawn, at) => ({ value: 4 - at, pawn })),
  });
  expect(worth(printed, [0, 2, 0, 1, 1, 2, 1])).toBe(18);
  expect(linesOf(VIEW, [1, 0, 0, 0, 0, 0, 0])[0]).toMatchObject({ count: 1, points: 0, open: true });
});

test("what happened between two views: a walk, a disc that was taken, and by whom", () => {
  const now = after({
    pawns: [0, 8, 4, 2, null],
    track: "rgbypw.rgb",
    hands: [VIEW.hands[0]!, { size: 4, discs: null }],
  });
  expect(changesOf(VIEW, now)).toEqual({
    walks: [{ pawn: "r", from: 1, to: 8 }],
    taken: [{ letter: "k", place: 7, seat: 1 }],
    back: [],
    payer: null,
  });
  expect(changesOf(now, VIEW)).toMatchObject({ taken: [], back: [7] });
  expect(changesOf(VIEW, after({ seat: 1 }))).toBeNull();
  expect(changesOf(VIEW, after({ laid: "b" }))).toBeNull();
  expect(changesOf(VIEW, after({ track: "......krgb" }))).toBeNull();
});

test("who hands in a black disc and takes another has both seen", () => {
  const now = after({ track: "rgbyp.krgb", pawns: [0, 8, 4, 2, null], handed_in: 1 });
  expect(changesOf(VIEW, now)).toMatchObject({ taken: [{ letter: "w", place: 6, seat: 0 }], payer: 0 });
  expect(changesOf(now, VIEW)).toMatchObject({ back: [6], payer: null });
});

test("a pawn walks from disc to disc, and up the stairs step by step", () => {
  const plan = fit(700, 500, shapeOf(VIEW));
  const walked = after({ pawns: [0, 8, 4, 2, null] });
  const points = route(plan, VIEW, walked, "r");
  expect(points).toHaveLength(8);
  expect(points.at(-1)).toEqual(standing(plan, walked, "r"));
  const climbed = after({
    pawns: [0, 1, null, 2, null],
    steps: VIEW.steps.map((step) => (step.value === 3 ? { value: 3, pawn: "y" } : step)),
  });
  expect(route(plan, VIEW, climbed, "y").at(-1)).toEqual(standing(plan, climbed, "y"));
  expect(route(plan, climbed, VIEW, "y").at(-1)).toEqual(standing(plan, VIEW, "y"));
});

test("a tap means the nearest thing, as far as a finger is wide and no less than a disc", () => {
  const [one, other, far] = around(
    [
      { x: 0, y: 0 },
      { x: 30, y: 0 },
      { x: 300, y: 0 },
    ],
    36,
  );
  expect([one, other, far]).toEqual([18, 18, 26]);
});
