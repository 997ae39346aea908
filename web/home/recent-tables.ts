/** The tables that this browser has been at, the latest first, so that it can go back to them. */
import { recall, remember } from "../storage";
import type { TableNow } from "../api/types";

export interface KeptTable {
  name: string;
  title: string;
  names: string[];
  over: boolean;
}

const MOST = 12;

export function keptTables(): KeptTable[] {
  return recall<KeptTable[]>("tables") ?? [];
}

/** Remembers a table where this browser plays. */
export function noteTable(name: string, table: TableNow): void {
  if (!table.you.length && !table.host) return;
  const names = table.seats.filter((seat) => !seat.you && seat.kind !== "open").map((seat) => seat.name);
  const note = { name, title: table.title, names, over: table.status === "over" };
  const before = keptTables();
  if (JSON.stringify(before[0]) === JSON.stringify(note)) return;
  remember("tables", [note, ...before.filter((other) => other.name !== name)].slice(0, MOST));
}

export function dropTable(name: string): void {
  remember(
    "tables",
    keptTables().filter((other) => other.name !== name),
  );
}
