/** The tables that this browser has played at, the latest first: those to return to, and those that are over. */
import type { Position, TableView } from "../api/types";
import { storage } from "../storage";

export interface RecentTable {
  name: string;
  title: string;
  /** The other players. */
  names: string[];
  over: boolean;
  /** The game's name; missing in entries of earlier versions, like everything below. */
  game?: string;
  /** Whether this browser opened the table, and so may delete it. */
  host?: boolean;
  /** When it was seen last; of a finished one when it was finished. Milliseconds since 1970. */
  at?: number;
  result?: FinalResult;
}

/** How a match ended, as facts: the sentence is made in the reader's language. */
export interface FinalResult {
  /** The names of all seats. */
  seats: string[];
  /** The seats of this browser. */
  mine: number[];
  winners: number[];
  /** Points per seat, the totals of a match; null if they did not decide. */
  scores: number[] | null;
  /** The seats that gave up and so ended the match. */
  resigned: number[];
}

const LIMIT = 60;

export function recentTables(): RecentTable[] {
  return storage.load<RecentTable[]>("tables") ?? [];
}

/** The finished tables whose result is known, the latest first. */
export function finishedTables(): RecentTable[] {
  return recentTables()
    .filter(({ over, result }) => over && result)
    .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));
}

/** Puts a table at the top of the list if this browser plays there or is its host. */
export function rememberTable(name: string, table: TableView, position: Position | null, now: number): void {
  if (!table.you.length && !table.host) return;
  const before = recentTables();
  const known = before.find((other) => other.name === name);
  const over = table.status === "over";
  const entry: RecentTable = {
    name,
    title: table.title,
    names: table.seats.filter((seat) => !seat.you && seat.kind !== "open").map((seat) => seat.name),
    over,
    game: table.game,
    host: table.host,
    at: over && known?.over && known.at ? known.at : now,
    ...(over && { result: known?.result ?? finalResult(table, position) }),
  };
  const top = before[0];
  if (top && JSON.stringify({ ...top, at: 0 }) === JSON.stringify({ ...entry, at: 0 })) return;
  storage.save("tables", [entry, ...before.filter((other) => other.name !== name)].slice(0, LIMIT));
}

export function forgetTable(name: string): void {
  storage.save(
    "tables",
    recentTables().filter((other) => other.name !== name),
  );
}

function finalResult(table: TableView, position: Position | null): FinalResult {
  const seats = table.seats.map((seat) => seat.name);
  const every = seats.map((_, seat) => seat);
  const resigned = table.ended ? every.filter((seat) => table.seats[seat]!.resigned) : [];
  const common = { seats, mine: table.you, resigned };
  if (resigned.length)
    return { ...common, winners: every.filter((seat) => !resigned.includes(seat)), scores: null };
  const totals = table.games > 1 ? table.totals : null;
  const scores = totals ?? position?.outcome?.scores ?? [];
  const best = Math.max(...scores);
  const winners = every.filter((seat) =>
    totals ? totals[seat] === best : position?.outcome?.ranks[seat] === 1,
  );
  const decided =
    winners.length > 0 && every.every((seat) => (scores[seat] === best) === winners.includes(seat));
  return { ...common, winners, scores: decided ? scores : null };
}
