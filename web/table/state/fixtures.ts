/** Tables and updates as the server sends them, for tests. */
import type { EventView, Position, TableView, TableUpdate } from "../../api/types";

type Seat = TableView["seats"][number];

export function makeSeat(seat: Partial<Seat> = {}): Seat {
  return { name: "Ada", kind: "person", you: false, player: null, kept: false, free: false, ...seat } as Seat;
}

/** A table of two people, in play; seat 0 is this browser's and to move. */
export function makeTable(table: Partial<TableView> = {}): TableView {
  return {
    game: "pebbles",
    title: "Pebbles",
    status: "playing",
    waiting: "person",
    turn: 0,
    you: [0],
    viewer: 0,
    host: true,
    hides: true,
    seats: [makeSeat({ you: true }), makeSeat({ name: "Ben" })],
    fair: { drawn: true, commits: [], secrets: [], commitments: [null, null], nonces: [null, null] },
    ...table,
  } as TableView;
}

export function makeMove(number: number, seat: number): EventView {
  return { number, kind: "move", seat, text: "a", words: "A move." } as EventView;
}

export function makeUpdate(version: number, update: Partial<TableUpdate> = {}): TableUpdate {
  const position = { view: { version }, choices: [], told: [`Version ${version}.`] } as unknown as Position;
  return { version, table: makeTable(), position, events: [], ...update } as TableUpdate;
}
