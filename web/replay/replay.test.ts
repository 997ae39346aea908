import { expect, test } from "vitest";
import type { ReplayView } from "../api/types";
import { listStops } from "./replay";

const events = (count: number): ReplayView["events"] => Array<ReplayView["events"][number]>(count);

test("the deal is one step, and every event after it another", () => {
  expect(listStops({ deal: 3, events: events(5) })).toEqual([0, 3, 4, 5]);
});

test("without a deal every event is a step", () => {
  expect(listStops({ deal: 0, events: events(2) })).toEqual([0, 1, 2]);
  expect(listStops({ deal: 0, events: events(0) })).toEqual([0]);
});

test("a game that was only dealt has one step", () => {
  expect(listStops({ deal: 4, events: events(4) })).toEqual([0, 4]);
});
