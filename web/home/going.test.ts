import { expect, test } from "vitest";
import { makeTable } from "../table/state/fixtures";
import { sortRows, statusOf, type GoingRow } from "./going";

test("a table says what it waits for, and whether that is this person", () => {
  expect(statusOf(makeTable())).toEqual({ status: "your turn", yours: true });
  expect(statusOf(makeTable({ turn: 1 }))).toEqual({ status: "Ben to play", yours: false });
  expect(statusOf(makeTable({ waiting: "bot", turn: 1 }))).toEqual({ status: "Ben to play", yours: false });
  expect(statusOf(makeTable({ status: "gathering", turn: null })).yours).toBe(false);
  expect(statusOf(makeTable({ status: "paused", turn: null })).yours).toBe(true);
  expect(statusOf(makeTable({ waiting: "judge", turn: null }))).toEqual({ status: null, yours: false });
});

test("tables that wait for this person come first", () => {
  const row = (name: string, yours: boolean): GoingRow => ({
    name,
    title: "Rondo",
    names: [],
    over: false,
    status: null,
    yours,
  });
  const rows = [row("a", false), row("b", true), row("c", false), row("d", true)];
  expect(sortRows(rows).map(({ name }) => name)).toEqual(["b", "d", "a", "c"]);
});
