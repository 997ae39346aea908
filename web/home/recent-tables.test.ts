import { beforeEach, expect, test } from "vitest";
import type { Position } from "../api/types";
import { storage } from "../storage";
import { makeSeat, makeTable } from "../table/state/fixtures";
import { finishedTables, forgetTable, recentTables, rememberTable } from "./recent-tables";

const OVER = { status: "over", games: 1, totals: [7, 9], ended: null } as const;
const POSITION = { outcome: { scores: [7, 9], ranks: [2, 1], ending: "x" } } as unknown as Position;

function finished(): Parameters<typeof makeTable>[0] {
  return { ...OVER, totals: [7, 9] };
}

beforeEach(() => storage.remove("tables"));

test("a table that is over is remembered with its result and the time of its end", () => {
  rememberTable("a", makeTable({ games: 1 }), null, 10);
  expect(finishedTables()).toEqual([]);
  rememberTable("a", makeTable(finished()), POSITION, 20);
  rememberTable("b", makeTable(), null, 30);
  rememberTable("a", makeTable(finished()), POSITION, 40);
  const [entry] = finishedTables();
  expect(entry).toMatchObject({ name: "a", names: ["Ben"], over: true, host: true, at: 20 });
  expect(entry!.result).toEqual({
    seats: ["Ada", "Ben"],
    mine: [0],
    winners: [1],
    scores: [7, 9],
    resigned: [],
  });
});

test("the result of a match is that of its totals", () => {
  rememberTable("a", makeTable({ ...finished(), games: 2, totals: [20, 9] }), POSITION, 1);
  expect(finishedTables()[0]!.result).toMatchObject({ winners: [0], scores: [20, 9] });
});

test("points are left out if something else broke the tie", () => {
  const tie = { outcome: { scores: [9, 9], ranks: [2, 1], ending: "x" } } as unknown as Position;
  rememberTable("a", makeTable(finished()), tie, 1);
  expect(finishedTables()[0]!.result).toMatchObject({ winners: [1], scores: null });
});

test("whoever did not give up wins a match that ended early", () => {
  const seats = [makeSeat({ you: true }), makeSeat({ name: "Ben", resigned: true })];
  rememberTable("a", makeTable({ ...finished(), seats, ended: "Ben resigned. You win." }), null, 1);
  expect(finishedTables()[0]!.result).toMatchObject({ winners: [0], scores: null, resigned: [1] });
});

test("finished tables are listed by their end, the latest first", () => {
  rememberTable("early", makeTable(finished()), POSITION, 1);
  rememberTable("late", makeTable(finished()), POSITION, 2);
  rememberTable("early", makeTable(finished()), POSITION, 3);
  expect(finishedTables().map(({ name }) => name)).toEqual(["late", "early"]);
});

test("somebody who only watches remembers nothing, and what is forgotten is gone", () => {
  rememberTable("a", makeTable({ you: [], host: false }), null, 1);
  expect(recentTables()).toEqual([]);
  rememberTable("a", makeTable(), null, 1);
  forgetTable("a");
  expect(recentTables()).toEqual([]);
});

test("tables that an earlier version remembered stay in the list", () => {
  storage.save("tables", [{ name: "old", title: "Rondo", names: ["Ben"], over: true }]);
  expect(recentTables()).toHaveLength(1);
  expect(finishedTables()).toEqual([]);
});
