import { describe, expect, it } from "vitest";
import builtIn from "../board.json";
import type { GameEvent } from "#web/games/props";
import type { RondoPile } from "#web/api/types";
import { anchorOf, chainOf, latest, termsOf, worth } from "./chain";
import { changes } from "./change";
import { laid } from "./diagrams";
import { readBoard } from "./document";
import { planFor } from "./wheel";

const move = (seat: number, text: string): GameEvent => ({ kind: "move", seat, text, words: "" });
const draw: GameEvent = { kind: "draw", seat: null, text: "?", words: "" };
const { near } = planFor(builtIn);

describe("the chain", () => {
  const events = [move(0, "AE:P"), move(0, "."), draw, move(1, "I4:?"), move(1, "I3:Y"), move(1, "."), draw];

  it("is the last one that was laid, passes aside", () => {
    expect(latest(events)).toEqual(["I4", "I3"]);
    expect(latest([...events, move(0, "pass"), draw, draw])).toEqual(["I4", "I3"]);
    expect(latest([...events, { ...draw, kind: "undo" }])).toEqual([]);
    expect(latest([])).toEqual([]);
  });

  it("is the drafted one before that, and nothing where its stones are gone", () => {
    expect(chainOf(laid("AE:P I4:? I3:Y"), [], events)).toEqual(["I4", "I3"]);
    expect(chainOf(laid("AE:P"), [], events)).toEqual([]);
    expect(chainOf(laid("AE:P AN:B"), ["AN:B"], events)).toEqual(["AN"]);
  });

  it("starts from the centre or an occupied field", () => {
    expect(anchorOf(laid("AE:P"), ["AE"], near)).toBe("C");
    expect(anchorOf(laid("AE:P I4:B"), ["I4"], near)).toBe("AE");
    expect(anchorOf(laid(""), [], near)).toBeNull();
  });

  it("scores every stone face up", () => {
    expect(worth(termsOf(laid("K13:? O26:GGG"), ["K13", "O26"]))).toBe(15);
  });
});

describe("a change", () => {
  it("names the fields in the order of the chain, and who drew", () => {
    const racks = [4, 2].map((size) => ({ size, stones: null }));
    const before = { ...laid("AE:P"), racks, bag: { size: 50, stones: null } };
    const now = {
      ...laid("AE:P I4:? I3:YY"),
      racks: [2, 2].map((size) => ({ size, stones: null })),
      bag: { size: 49, stones: null },
    };
    const found = changes(before, now, ["I4", "I3"]);
    expect(found.laid.map(({ name }) => name)).toEqual(["I4", "I3"]);
    expect(found.laid.map(({ place }) => place)).toEqual([null, null]);
    expect(found.drawn).toEqual([{ whose: 0, place: null }]);
    expect(changes(now, now, [])).toEqual({ laid: [], drawn: [] });
  });

  it("knows the places on a rack that is seen", () => {
    const rack = (...stones: number[]): RondoPile => ({
      size: stones.reduce((sum, one) => sum + one),
      stones,
    });
    const before = { ...laid("AE:P"), racks: [rack(1, 0, 2, 0, 1)], bag: { size: 50, stones: null } };
    const now = { ...laid("AE:P I3:YY"), racks: [rack(1, 1, 0, 0, 1)], bag: { size: 49, stones: null } };
    const found = changes(before, now, ["I3"]);
    expect(found.laid).toEqual([{ name: "I3", whose: 0, place: 2 }]);
    expect(found.drawn).toEqual([{ whose: 0, place: 1 }]);
  });
});

describe("a board's file", () => {
  const good = JSON.stringify(builtIn);

  it("is read, or the part named that is wrong", () => {
    expect(readBoard(good)).toEqual(builtIn);
    expect(readBoard("{")).toBe("");
    expect(readBoard("[]")).toBe("cells");
    expect(readBoard(JSON.stringify({ ...builtIn, grey: [] }))).toBe("grey");
    expect(readBoard(JSON.stringify({ ...builtIn, grey: ["Z1"] }))).toBe("grey");
    expect(readBoard(good.replace('"AN":["', '"AN":["Z9","'))).toBe("adjacency AN");
    expect(readBoard(good.replace('"colour":"P"', '"colour":"X"'))).toMatch(/^sides /);
  });
});
