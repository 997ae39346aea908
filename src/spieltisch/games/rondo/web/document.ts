/** A board as a file holds it, read far enough to be drawn; the server has the last word on it. */
import type { RondoField, RondoView } from "#web/api/types";
import { CENTRE, LETTERS, type Letter } from "./stones";
import type { Document } from "./wheel";

interface Printed {
  colour: Letter;
  value: number;
}

export interface BoardFile extends Document {
  grey: string[];
  sides: Record<string, Record<string, Printed>>;
}

const object = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function printed(value: unknown): value is Printed {
  return (
    object(value) &&
    LETTERS.includes(value.colour as Letter) &&
    Number.isInteger(value.value) &&
    Number(value.value) > 0
  );
}

/** The board in a text; otherwise the name of the part that is missing or wrong, "" where it is no JSON at all. */
export function readBoard(text: string): BoardFile | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "";
  }
  if (!object(data) || !texts(data.cells) || !data.cells.length) return "cells";
  const known = new Set([...data.cells, CENTRE]);
  const { adjacency, grey, sides } = data;
  if (!object(adjacency)) return "adjacency";
  for (const name of known) {
    const others = adjacency[name];
    if (!texts(others) || !others.length || !others.every((other) => known.has(other)))
      return `adjacency ${name}`;
  }
  if (!texts(grey) || !grey.length || !grey.every((name) => known.has(name))) return "grey";
  if (!object(sides) || !Object.keys(sides).length) return "sides";
  for (const [side, fields] of Object.entries(sides))
    for (const name of data.cells)
      if (!object(fields) || !printed(fields[name])) return `sides ${side} ${name}`;
  return data as unknown as BoardFile;
}

/** An empty board to look at. */
export function emptyView(text: string, board: BoardFile, side: string): RondoView {
  const shown = board.sides[side] ?? Object.values(board.sides)[0]!;
  const fields: RondoField[] = board.cells.map((name) => ({
    name,
    colour: shown[name]!.colour,
    value: shown[name]!.value,
    grey: board.grey.includes(name),
    face_up: 0,
    bridge: null,
    hidden: null,
  }));
  return {
    setup: { edition: side, first: 0, options: [["board", text]], players: 2, rules: 1 },
    viewer: null,
    phase: "over",
    seat: 0,
    fields,
    last: null,
    gained: 0,
    open: [],
    drawing: 0,
    racks: [],
    bag: { size: 0, stones: null },
    scores: [],
    cause: "",
    reconstructed: false,
    outcome: null,
  };
}
