/** A record as the server tells it: all sentences at once, the positions a hundred at a time. */
import type { DetailLoader } from "../games/props";
import { requestBytes, requestDetails, requestJson } from "../api/client";
import type { Retold } from "../api/types";

export interface Film {
  retold: Retold;
  views: Retold["views"];
  told: string[][];
}

export async function film(record: string, game: number, viewer: number | null): Promise<Film> {
  const page = (first: number): Promise<Retold> =>
    requestJson<Retold>("replays", { body: { record, game, viewer, first } });
  const retold = await page(0);
  const views = [...retold.views];
  const told = [...retold.told];
  while (views.length <= retold.events.length) {
    const more = await page(views.length);
    if (!more.views.length) break;
    views.push(...more.views);
    told.push(...more.told);
  }
  return { retold, views, told };
}

/** A closer look at the position after so many entries. */
export function closer(record: string, game: number, viewer: number | null, entry: number): DetailLoader {
  return {
    loadFilm: (at) => requestBytes("replays/film", { body: { record, game, entry: at } }),
    loadDetails: () => requestDetails("replays/inside", { body: { record, game, viewer, entry } }),
  };
}
