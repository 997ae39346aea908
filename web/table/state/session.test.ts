// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect, type ConnectionHandlers } from "./connection";
import { makeMove, makeTable, makeUpdate } from "./fixtures";
import { TableSession } from "./session.svelte";

vi.mock("./connection");

const hooks = { received: vi.fn(), invalidated: vi.fn(), shown: vi.fn() };
let session: TableSession;
let server: ConnectionHandlers; // what the last connection calls
let disconnects = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  disconnects = 0;
  vi.mocked(connect).mockImplementation((_table, _seat, _version, handlers) => {
    server = handlers;
    return () => disconnects++;
  });
  session = new TableSession("t", hooks);
  session.connect(null);
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

test("an update is shown, and its events are appended", () => {
  server.update(makeUpdate(1, { events: [makeMove(1, 0)] }));
  server.update(makeUpdate(2, { events: [makeMove(1, 0), makeMove(2, 0)] }));
  expect(session.version).toBe(2);
  expect(session.events.map(({ number }) => number)).toEqual([1, 2]);
  expect(session.position?.view).toEqual({ version: 2 });
  expect(session.connection).toBe("live");
  expect(hooks.shown).toHaveBeenCalledTimes(2);
});

test("an update older than the newest is ignored", () => {
  server.update(makeUpdate(3));
  server.update(makeUpdate(2));
  expect(session.version).toBe(3);
});

test("moves of others are shown one by one", () => {
  server.update(makeUpdate(1));
  server.update(makeUpdate(2, { events: [makeMove(2, 1)] }));
  server.update(makeUpdate(3, { events: [makeMove(3, 1)] }));
  expect(session.version).toBe(2);
  expect(hooks.received).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(2000);
  expect(session.version).toBe(3);
});

test("playback can be skipped", () => {
  for (const version of [1, 2, 3]) server.update(makeUpdate(version, { events: [makeMove(version, 1)] }));
  expect(session.version).toBe(2);
  session.skipPlayback();
  expect(session.version).toBe(3);
});

test("the mover is known until its move has been shown", () => {
  server.update(makeUpdate(1));
  server.update(makeUpdate(2, { events: [makeMove(2, 1)] }));
  expect(session.mover).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(session.mover).toBeNull();
});

test("one player's moves are skipped at a time, or all of them until it is my turn", () => {
  const bots = makeTable({ waiting: "bot", turn: 2 });
  server.update(makeUpdate(1, { table: bots }));
  for (const [version, seat] of [
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 3],
  ] as const)
    server.update(makeUpdate(version, { table: bots, events: [makeMove(version, seat)] }));
  expect([session.version, session.mover]).toEqual([2, 1]);
  session.skipMover();
  expect([session.version, session.mover]).toEqual([4, 2]);
  session.skipAll();
  expect([session.version, session.mover]).toEqual([5, null]);
  server.update(makeUpdate(6, { table: bots, events: [makeMove(6, 1)] })); // had not arrived before
  expect([session.version, session.mover]).toEqual([6, null]);
  server.update(makeUpdate(7, { events: [makeMove(7, 2)] }));
  server.update(makeUpdate(8, { table: bots, events: [makeMove(8, 0)] }));
  server.update(makeUpdate(9, { table: bots, events: [makeMove(9, 1)] }));
  vi.advanceTimersByTime(2000);
  expect(session.version).toBe(9);
  expect(session.mover).toBe(1);
});

test("what others have done since my last move is shown again, without changing anything", () => {
  server.update(makeUpdate(1));
  server.update(makeUpdate(2, { events: [makeMove(2, 0)] }));
  server.update(makeUpdate(3, { events: [makeMove(3, 1)] }));
  vi.advanceTimersByTime(2000);
  expect(session.canReplay).toBe(true);
  session.replay();
  expect(session.position?.view).toEqual({ version: 2 });
  vi.advanceTimersByTime(600);
  expect(session.position?.view).toEqual({ version: 3 });
  expect(session.mover).toBe(1);
  expect(session.events.map(({ number }) => number)).toEqual([2, 3]);
  vi.advanceTimersByTime(2000);
  expect(session.mover).toBeNull();
  expect(session.version).toBe(3);
  server.update(makeUpdate(4, { events: [makeMove(4, 0)] }));
  expect(session.canReplay).toBe(false);
});

test("a connection asks for what comes after the newest update, shown or not", () => {
  for (const version of [1, 2, 3]) server.update(makeUpdate(version, { events: [makeMove(version, 1)] }));
  expect(vi.mocked(connect).mock.calls[0]![2]()).toBe(3);
});

test("a new version makes the draft void, the first one does not", () => {
  server.update(makeUpdate(1));
  expect(hooks.invalidated).not.toHaveBeenCalled();
  server.update(makeUpdate(1));
  expect(hooks.invalidated).not.toHaveBeenCalled();
  server.update(makeUpdate(2));
  expect(hooks.invalidated).toHaveBeenCalledOnce();
});

test("a hint that somebody was given leaves the draft and what can be shown again as they are", () => {
  server.update(makeUpdate(1, { events: [makeMove(1, 0)] }));
  server.update(makeUpdate(2, { events: [makeMove(2, 1)] }));
  session.skipPlayback();
  hooks.invalidated.mockClear();
  const hinted = { ...makeMove(3, 0), kind: "hinted", turn: null };
  server.update(makeUpdate(3, { events: [hinted] }));
  session.skipPlayback();
  expect([session.version, session.draftable]).toEqual([3, 2]);
  expect(hooks.invalidated).not.toHaveBeenCalled();
  expect(session.canReplay).toBe(true);
  server.update(makeUpdate(5, { events: [{ ...hinted, number: 5 }] })); // something else happened, too
  session.skipPlayback();
  expect(hooks.invalidated).toHaveBeenCalledOnce();
});

test("it is my turn if the table waits for the seat that I see", () => {
  server.update(makeUpdate(1));
  expect(session.myTurn).toBe(true);
  server.update(makeUpdate(2, { table: makeTable({ turn: 1 }) }));
  expect(session.myTurn).toBe(false);
  server.update(makeUpdate(3, { table: makeTable({ waiting: "bot" }) }));
  expect(session.myTurn).toBe(false);
  server.update(makeUpdate(4, { table: makeTable({ viewer: null, turn: null }) }));
  expect(session.myTurn).toBe(false);
});

test("the clock stops when another seat is to move", () => {
  server.update(makeUpdate(1));
  server.clock({ seat: 0, left: 30 });
  expect(session.clock).toEqual({ seat: 0, until: Date.now() + 30_000 });
  server.update(makeUpdate(2));
  expect(session.clock).not.toBeNull();
  server.update(makeUpdate(3, { table: makeTable({ turn: 1 }) }));
  expect(session.clock).toBeNull();
});

test("reloading starts again at version 0, from the same seat", () => {
  session.connect(1);
  server.update(makeUpdate(5, { events: [makeMove(5, 0)] }));
  session.reload();
  expect(session.version).toBe(0);
  expect(session.events).toEqual([]);
  expect(vi.mocked(connect).mock.lastCall![1]).toBe(1);
  expect(vi.mocked(connect).mock.lastCall![2]()).toBe(0);
  expect(hooks.invalidated).toHaveBeenCalled();
});

test("after switching the seat there is no position until it is loaded", () => {
  server.update(makeUpdate(1));
  session.switchSeat(1);
  expect(session.seat).toBe(1);
  expect(session.position).toBeNull();
  expect(session.requestedSeat).toBe(1);
});

test("closing disconnects and drops what is not shown yet", () => {
  for (const version of [1, 2, 3]) server.update(makeUpdate(version, { events: [makeMove(version, 1)] }));
  session.close();
  vi.advanceTimersByTime(5000);
  expect(session.version).toBe(2);
  expect(disconnects).toBe(1);
});
