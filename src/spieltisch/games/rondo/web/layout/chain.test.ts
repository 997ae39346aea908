import { describe, expect, it } from "vitest";
import type { GameEvent } from "#web/games/props";
import builtIn from "../../board.json";
import { chainAnchor, chainPoints, chainTerms, currentChain, lastChain } from "./chain";
import { viewWithStones } from "./fixture";
import { layoutBoard } from "./board";

const move = (seat: number, text: string): GameEvent => ({ kind: "move", seat, text, words: "" });
const draw: GameEvent = { kind: "draw", seat: null, text: "?", words: "" };
const { neighbours } = layoutBoard(builtIn);

describe("the chain", () => {
  const events = [move(0, "AE:P"), move(0, "."), draw, move(1, "I4:?"), move(1, "I3:Y"), move(1, "."), draw];

  it("is the last one that was placed, apart from passes", () => {
    expect(lastChain(events)).toEqual(["I4", "I3"]);
    expect(lastChain([...events, move(0, "pass"), draw, draw])).toEqual(["I4", "I3"]);
    expect(lastChain([...events, { ...draw, kind: "undo" }])).toEqual([]);
    expect(lastChain([])).toEqual([]);
  });

  it("is that of the draft if there is one, and empty if its stones are gone", () => {
    expect(currentChain(viewWithStones("AE:P I4:? I3:Y"), [], events)).toEqual(["I4", "I3"]);
    expect(currentChain(viewWithStones("AE:P"), [], events)).toEqual([]);
    expect(currentChain(viewWithStones("AE:P AN:B"), ["AN:B"], events)).toEqual(["AN"]);
  });

  it("is attached to the centre or a covered field", () => {
    expect(chainAnchor(viewWithStones("AE:P"), ["AE"], neighbours)).toBe("C");
    expect(chainAnchor(viewWithStones("AE:P I4:B"), ["I4"], neighbours)).toBe("AE");
    expect(chainAnchor(viewWithStones(""), [], neighbours)).toBeNull();
  });

  it("scores every face-up stone", () => {
    expect(chainPoints(chainTerms(viewWithStones("K13:? O26:GGG"), ["K13", "O26"]))).toBe(15);
  });
});
