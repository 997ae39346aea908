/** Parser of board files. It checks only what drawing needs; the server validates the rest. */
import { CENTRE, LETTERS, type Field, type Letter, type View } from "../view";
import type { BoardGraph } from "./graph";

interface Print {
  colour: Letter;
  value: number;
}

export interface BoardFile extends BoardGraph {
  grey: string[];
  sides: Record<string, Record<string, Print>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function isPrint(value: unknown): value is Print {
  return (
    isObject(value) &&
    LETTERS.includes(value.colour as Letter) &&
    Number.isInteger(value.value) &&
    Number(value.value) > 0
  );
}

/** Parses a board file; returns the name of the part that is missing or wrong, "" if the text is no JSON. */
export function parseBoardFile(text: string): BoardFile | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "";
  }
  if (!isObject(data) || !isStringArray(data.cells) || !data.cells.length) return "cells";
  const known = new Set([...data.cells, CENTRE]);
  const { adjacency, grey, sides } = data;
  if (!isObject(adjacency)) return "adjacency";
  for (const name of known) {
    const others = adjacency[name];
    if (!isStringArray(others) || !others.length || !others.every((other) => known.has(other)))
      return `adjacency ${name}`;
  }
  if (!isStringArray(grey) || !grey.length || !grey.every((name) => known.has(name))) return "grey";
  if (!isObject(sides) || !Object.keys(sides).length) return "sides";
  for (const [side, fields] of Object.entries(sides))
    for (const name of data.cells)
      if (!isObject(fields) || !isPrint(fields[name])) return `sides ${side} ${name}`;
  return data as unknown as BoardFile;
}

/** The view of an empty board. */
export function emptyView(text: string, board: BoardFile, side: string): View {
  const prints = board.sides[side] ?? Object.values(board.sides)[0]!;
  const fields: Field[] = board.cells.map((name) => ({
    name,
    colour: prints[name]!.colour,
    value: prints[name]!.value,
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
