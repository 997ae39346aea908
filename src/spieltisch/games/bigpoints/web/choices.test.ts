import { expect, test } from "vitest";
import { groupByDestination, parseMove, selectionStage } from "./choices";
import { VIEW } from "./fixture";

const choice = (text: string) => ({ text, words: text, paths: [], ends: false });

test("a move is parsed from its notation", () => {
  expect(parseMove("r+")).toEqual({ pawn: "r", backward: false, take: "ahead" });
  expect(parseMove("*g<-")).toEqual({ pawn: "g", backward: true, take: "behind" });
  expect(parseMove(".")).toBeNull();
});

test("choices are grouped by destination, with what can be taken there", () => {
  const destinations = groupByDestination(VIEW, [choice("r+"), choice("r-"), choice("y^"), choice(".")]);
  expect(destinations.map(({ pawn, landing }) => [pawn, landing])).toEqual([
    ["r", 8],
    ["y", null],
  ]);
  expect(destinations[0]!.options.map(({ disc, place }) => [disc, place])).toEqual([
    ["g", 9],
    ["k", 7],
  ]);
  expect(destinations[1]!.options[0]!.disc).toBe("y");
});

test("the first question is the pawn, then its direction if there are two, then the disc", () => {
  const destinations = groupByDestination(VIEW, [choice("r+"), choice("r-"), choice("y^")]);
  expect(selectionStage(destinations, false)).toBe("pawn");
  expect(selectionStage(destinations, true)).toBe("pawn");
  expect(selectionStage([destinations[0]!, { ...destinations[0]!, backward: true }], true)).toBe("direction");
  expect(selectionStage([destinations[0]!], true)).toBe("take");
});
