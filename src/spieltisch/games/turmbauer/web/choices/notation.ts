/** Notation of placements and pawn moves. */
import type { Choice } from "#web/api/types";
import { cellKey, type Cell } from "../view";

const parseCell = (text: string): Cell => {
  const [x = 0, y = 0, z = 0] = text.split(",").map(Number);
  return { x, y, z };
};

/** Parses the cells of a placement, "@0,0,1;1,0,1"; null for any other text. */
export function parseCells(text: string): Cell[] | null {
  return text.startsWith("@") ? text.slice(1).split(";").map(parseCell) : null;
}

/** Formats a placement, its cells sorted by floor, row and column. */
export function formatCells(cells: readonly Cell[]): string {
  const sorted = cells.toSorted((a, b) => a.z - b.z || a.y - b.y || a.x - b.x);
  return `@${sorted.map(cellKey).join(";")}`;
}

/** A pawn move: onto a cube, or null for the table; with the ring that it costs. */
export interface Destination {
  readonly choice: Choice;
  readonly field: Cell | null;
  readonly ring: "" | "b" | "c";
}

/** Parses the pawn moves among the choices: ">2,1,5" stands on the cube below that cell. */
export function parseDestinations(choices: readonly Choice[]): Destination[] {
  return choices.flatMap((choice) => {
    const found = /^([bc]?)>(.+)$/.exec(choice.text);
    if (!found) return [];
    const cell = parseCell(found[2]!);
    const field = found[2] === "table" ? null : { ...cell, z: cell.z - 1 };
    return [{ choice, field, ring: found[1] as Destination["ring"] }];
  });
}
