/** Client of replays: all sentences of a record at once, its positions in pages of a hundred. */
import { requestBytes, requestDetails, requestJson } from "../api/client";
import type { ReplayView } from "../api/types";
import type { DetailLoader } from "../games/props";
import { listLines, type LoggedEvent, type LogLine } from "../log/lines";

export interface Replay {
  record: ReplayView;
  /** Per step: the view, and the position in sentences. */
  views: ReplayView["views"];
  descriptions: string[][];
  stops: number[];
  /** The index of the stop before the first move, at which a replay begins. */
  start: number;
}

export async function loadReplay(text: string, game: number, viewer: number | null): Promise<Replay> {
  const loadPage = (first: number): Promise<ReplayView> =>
    requestJson<ReplayView>("replays", { body: { record: text, game, viewer, first } });
  const record = await loadPage(0);
  const views = [...record.views];
  const descriptions = [...record.told];
  while (views.length <= record.events.length) {
    const page = await loadPage(views.length);
    if (!page.views.length) break;
    views.push(...page.views);
    descriptions.push(...page.told);
  }
  return { record, views, descriptions, stops: listStops(record), start: record.deal ? 1 : 0 };
}

/** The entries at which a replay stops: the start, the end of the deal, which is one step, then every event. */
export function listStops({ deal, events }: Pick<ReplayView, "deal" | "events">): number[] {
  const first = Math.max(deal, 1);
  return [0, ...Array.from(events, (_, event) => event + 1).filter((entry) => entry >= first)];
}

/** The events as the log of a table has them: numbered from 1. */
export function numberEvents(events: ReplayView["events"]): LoggedEvent[] {
  return events.map((event, at) => ({ ...event, number: at + 1 }));
}

/** All turns and undos, also what was undone later: each with the number of its last event. */
export function listTurns(events: readonly LoggedEvent[]): (LogLine & { last: number })[] {
  const kept = events.map((event) => (event.kind === "undo" ? { ...event, kind: "undone" } : event));
  return listLines(kept).map((line) => ({
    ...line,
    last: line.kind === "turn" ? line.steps.at(-1)!.number : line.number,
  }));
}

/** Loader of details of the position after the given number of entries. */
export function detailsAt(record: string, game: number, viewer: number | null, entry: number): DetailLoader {
  return {
    loadFilm: (index) => requestBytes("replays/film", { body: { record, game, entry: index } }),
    loadDetails: () => requestDetails("replays/inside", { body: { record, game, viewer, entry } }),
  };
}
