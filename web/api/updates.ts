/** The events of a table, which the server sends page by page. */
import { requestJson } from "./client";
import type { TableUpdate } from "./types";

/** The table with all events after one, as seen from a seat. */
export async function requestUpdate(table: string, after: number, seat: number | null): Promise<TableUpdate> {
  const page = await requestJson<TableUpdate>(`tables/${table}/events`, { query: { after, seat } });
  const events = [...page.events];
  let last = page;
  while (typeof last.next === "number") {
    last = await requestJson<TableUpdate>(`tables/${table}/events`, { query: { after: last.next, seat } });
    events.push(...last.events);
  }
  return { ...last, events };
}
