/** Tables that are under way: what they wait for, and in which order they are listed. */
import type { TableView } from "../api/types";
import { say } from "../i18n/catalogue.svelte";
import type { RecentTable } from "./recent-tables";

export interface GoingRow extends RecentTable {
  /** What the table waits for; null until the server has said it. */
  status: string | null;
  /** Whether it waits for this person. */
  yours: boolean;
}

export function statusOf(table: TableView): Pick<GoingRow, "status" | "yours"> {
  const { status, waiting, turn, you, seats } = table;
  if (status === "gathering") return { status: say("going.gathering"), yours: false };
  if (status === "paused") return { status: say("going.paused"), yours: you.length > 0 };
  if (waiting === "person" && turn !== null && you.includes(turn))
    return { status: say("going.yours"), yours: true };
  return { status: turn === null ? null : say("going.other", { name: seats[turn]!.name }), yours: false };
}

/** Those that wait for this person first, otherwise in the order of the list. */
export function sortRows(rows: GoingRow[]): GoingRow[] {
  return rows.toSorted((one, other) => Number(other.yours) - Number(one.yours));
}
