/** What a table tells this tab, through its own stream or through the tab that has one. */
import { ask, Refused } from "../../api/client";
import { listen, type Heard, type Link } from "../../api/stream";
import { share } from "../../api/leader-election";
import type { Event, Told } from "../../api/types";
import { locale } from "../../i18n/catalogue.svelte";

export interface Clock {
  seat: number | null;
  left: number;
}

export interface Hearing {
  told(news: Told): void;
  here(seats: number[]): void;
  clock(clock: Clock): void;
  link(state: Link): void;
  gone(): void;
  refused(error: Refused): void;
}

/** Follows a table from a seat, from the event after `known()` on, until it is told to stop. */
export function follow(
  table: string,
  seat: number | null,
  known: () => number,
  hearing: Hearing,
): () => void {
  const path = `tables/${table}`;
  let happened: Event[] = [];
  let stop = (): void => {};
  let ended = false;

  async function catchUp(): Promise<void> {
    try {
      const news = await ask<Told>(`${path}/events`, { query: { after: known(), seat } });
      if (!ended) hearing.told(news);
    } catch (error) {
      if (ended) return;
      if (error instanceof Refused && !error.passing) hearing.refused(error);
      else hearing.link("lost");
    }
  }

  function heard({ event, data }: Heard): void {
    if (event === "happened") happened.push(JSON.parse(data) as Event);
    else if (event === "table") {
      hearing.told({ ...(JSON.parse(data) as Omit<Told, "events">), events: happened });
      happened = [];
      tabs.tell("changed");
    } else {
      ephemeral(event, data);
      tabs.tell({ event, data } satisfies Heard);
    }
  }

  function ephemeral(event: string, data: string): void {
    if (event === "here") hearing.here((JSON.parse(data) as { seats: number[] }).seats);
    if (event === "clock") hearing.clock(JSON.parse(data) as Clock);
    if (event === "gone") {
      leave();
      hearing.gone();
    }
  }

  function lead(): void {
    if (ended) return;
    happened = [];
    stop = listen(`${path}/stream`, () => ({ after: known(), seat }), {
      heard,
      refused: hearing.refused.bind(hearing),
      link(state) {
        if (state !== "live") happened = [];
        hearing.link(state);
        tabs.tell({ link: state });
      },
    });
  }

  const tabs = share(`${table}.${seat ?? ""}.${locale.language}`, {
    lead: () => queueMicrotask(lead),
    follow() {
      stop();
      stop = () => {};
      void catchUp();
    },
    news(what) {
      if (what === "changed") void catchUp();
      else if (isLink(what)) hearing.link(what.link);
      else ephemeral((what as Heard).event, (what as Heard).data);
    },
  });

  function leave(): void {
    ended = true;
    stop();
    tabs.leave();
  }

  void catchUp();
  return leave;
}

function isLink(what: unknown): what is { link: Link } {
  return typeof what === "object" && what !== null && "link" in what;
}
