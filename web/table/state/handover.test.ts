// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { connect } from "./connection";
import { makeTable } from "./fixtures";
import { Handover, nextViewer } from "./handover.svelte";
import { TableSession } from "./session.svelte";

vi.mock("./connection");

let session: TableSession;
let handover: Handover;

beforeEach(() => {
  vi.mocked(connect).mockReturnValue(() => {});
  session = new TableSession("t", { received() {}, invalidated() {}, shown() {} });
  handover = new Handover(session);
});

function show(table: Partial<Parameters<typeof makeTable>[0]>): void {
  session.table = makeTable(table);
  handover.update(session.table);
}

test("the next viewer is the seat to move, if it is at this device", () => {
  expect(nextViewer(makeTable({ you: [0, 1], turn: 1 }), 0)).toBe(1);
});

test.each([
  ["a seat elsewhere is to move", { turn: 2 }],
  ["a bot is to move", { waiting: "bot" }],
  ["nobody is to move", { turn: null }],
] as const)("the viewer stays if %s", (_case, table) => {
  expect(nextViewer(makeTable({ you: [0, 1], ...table }), 1)).toBe(1);
});

test("without a viewer so far, it is the one that the server chose, or the first seat", () => {
  expect(nextViewer(makeTable({ you: [0, 1], turn: 2, viewer: 1 }), null)).toBe(1);
  expect(nextViewer(makeTable({ you: [0, 1], turn: 2, viewer: null }), null)).toBe(0);
});

test("one person alone is never covered", () => {
  show({ you: [0], turn: 0 });
  expect(handover.covered).toBe(false);
  expect(session.requestedSeat).toBeNull();
});

test("the table is covered when the next person is to move, and shown from their seat", () => {
  show({ you: [0, 1], turn: 1 });
  expect(handover.covered).toBe(true);
  expect(session.seat).toBe(1);
  handover.uncover();
  expect(handover.covered).toBe(false);
});

test("a game without secrets only switches the seat", () => {
  show({ you: [0, 1], turn: 1, hides: false });
  expect(handover.covered).toBe(false);
  expect(session.seat).toBe(1);
});

test("nothing changes while the same person moves", () => {
  show({ you: [0, 1], turn: 1 });
  handover.uncover();
  show({ you: [0, 1], turn: 1, viewer: 1 });
  expect(handover.covered).toBe(false);
});

test("the cover is removed when the game ends", () => {
  show({ you: [0, 1], turn: 1 });
  show({ you: [0, 1], turn: null, status: "over" });
  expect(handover.covered).toBe(false);
});
