import { describe, expect, it } from "vitest";
import { hintedSeat, lastMarks, listLines, type LoggedEvent, type Turn, turnsSince, wordsOf } from "./lines";

function turn(first: number, seat: number | null, text: string, complete = true, mark: unknown = null): Turn {
  return { first, seat, parts: [{ text, symbol: null }], mark, complete };
}

function event(number: number, kind: string, more: Partial<LoggedEvent> = {}): LoggedEvent {
  return { number, kind, seat: null, text: "", words: kind, turn: null, back: null, ...more };
}

const begin = event(1, "begin");
const dealt = [event(2, "draw"), event(3, "draw", { turn: turn(2, null, "Dealt.") })];
const ada = event(4, "move", { seat: 0, turn: turn(4, 0, "Ada lays.", true, "a") });
const ben = [
  event(5, "move", { seat: 1, turn: turn(5, 1, "Ben lays.", false, "b1") }),
  event(6, "move", { seat: 1, turn: turn(5, 1, "Ben lays two.", true, "b2") }),
];

describe("lines of the log", () => {
  it("has one line for the deal and one per turn, which grows", () => {
    const lines = listLines([begin, ...dealt, ada, ...ben]);
    expect(lines.map(wordsOf)).toEqual(["begin", "Dealt.", "Ada lays.", "Ben lays two."]);
    expect(lines.at(-1)).toMatchObject({ number: 5, steps: ben });
  });

  it("takes back what was undone and keeps it under the undo", () => {
    const undo = event(7, "undo", { back: 5 });
    const again = event(8, "move", { seat: 1, turn: turn(8, 1, "Ben passes.") });
    const lines = listLines([begin, ...dealt, ada, ...ben, undo, again]);
    expect(lines.map(wordsOf)).toEqual(["begin", "Dealt.", "Ada lays.", "undo", "Ben passes."]);
    expect(lines[3]).toMatchObject({ undone: [{ steps: ben }] });
  });

  it("tells an undone part of a turn as it was before", () => {
    const lines = listLines([begin, ...dealt, ada, ...ben, event(7, "undo", { back: 6 })]);
    expect(lines.map(wordsOf)).toEqual(["begin", "Dealt.", "Ada lays.", "Ben lays.", "undo"]);
  });

  it("lists the others' turns since mine, and a round for spectators", () => {
    const lines = listLines([begin, ...dealt, ada, ...ben]);
    expect(turnsSince(lines, 0, 2).map(wordsOf)).toEqual(["Ben lays two."]);
    expect(turnsSince(lines, 1, 2)).toEqual([]);
    expect(turnsSince(lines, 2, 3).map(wordsOf)).toEqual(["Ada lays.", "Ben lays two."]);
    expect(turnsSince(lines, null, 2).map(wordsOf)).toEqual(["Ada lays.", "Ben lays two."]);
    expect(turnsSince(listLines([begin, ...dealt, ada, ben[0]!]), 1, 2).map(wordsOf)).toEqual(["Ada lays."]);
  });

  it("keeps the mark of every seat until it moves again or the next game begins", () => {
    const events = [begin, ...dealt, ada, ...ben];
    expect(lastMarks(listLines(events))).toEqual([
      { seat: 0, mark: "a" },
      { seat: 1, mark: "b2" },
    ]);
    const next = event(7, "move", { seat: 0, turn: turn(7, 0, "Ada passes.") });
    expect(lastMarks(listLines([...events, next]))).toEqual([{ seat: 1, mark: "b2" }]);
    expect(lastMarks(listLines([...events, event(8, "begin")]))).toEqual([]);
  });
});

it("a seat has a hint until its turn is over or taken back", () => {
  const [hint, mine, theirs] = [
    { kind: "hinted", seat: 0 },
    { kind: "move", seat: 0 },
    { kind: "move", seat: 1 },
  ];
  expect(hintedSeat([theirs, hint, mine], 0)).toBe(0);
  expect(hintedSeat([hint, mine], 1)).toBeNull();
  expect(hintedSeat([hint, mine, theirs], 0)).toBeNull();
  expect(hintedSeat([hint, mine, { kind: "undo", seat: null }], 0)).toBeNull();
  expect(hintedSeat([], 0)).toBeNull();
});
