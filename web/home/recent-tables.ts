/** The tables that this browser has played at, the latest first, so that it can return to them. */
import type { TableView } from "../api/types";
import { storage } from "../storage";

export interface RecentTable {
  name: string;
  title: string;
  /** The other players. */
  names: string[];
  over: boolean;
}

const LIMIT = 12;

export function recentTables(): RecentTable[] {
  return storage.load<RecentTable[]>("tables") ?? [];
}

/** Puts a table at the top of the list if this browser plays there or is its host. */
export function rememberTable(name: string, table: TableView): void {
  if (!table.you.length && !table.host) return;
  const names = table.seats.filter((seat) => !seat.you && seat.kind !== "open").map((seat) => seat.name);
  const entry = { name, title: table.title, names, over: table.status === "over" };
  const before = recentTables();
  if (JSON.stringify(before[0]) === JSON.stringify(entry)) return;
  storage.save("tables", [entry, ...before.filter((other) => other.name !== name)].slice(0, LIMIT));
}

export function forgetTable(name: string): void {
  storage.save(
    "tables",
    recentTables().filter((other) => other.name !== name),
  );
}
