/** Connection to a table: receives its updates, from the event stream or from the tab that holds one. */
import { RefusalError, requestJson } from "../../api/client";
import { joinElection } from "../../api/leader-election";
import { randomHex } from "../../api/token";
import { subscribe, type ConnectionState, type ServerSentEvent } from "../../api/stream";
import type { EventView, TableUpdate } from "../../api/types";
import { requestUpdate } from "../../api/updates";
import { locale } from "../../i18n/catalogue.svelte";

/** The clock of the seat to move. */
export interface Clock {
  seat: number | null;
  /** Seconds. */
  left: number;
}

/** Who is at the table. */
export interface Presence {
  /** The seats whose players are connected. */
  seats: number[];
  spectators: number;
}

/** A reaction that a seat shows to everybody. */
export interface SeatReaction {
  seat: number;
  reaction: string;
}

export interface ConnectionHandlers {
  update(update: TableUpdate): void;
  presence(presence: Presence): void;
  reaction(reaction: SeatReaction): void;
  clock(clock: Clock): void;
  state(state: ConnectionState): void;
  deleted(): void;
  refused(error: RefusalError): void;
}

/** Connects to a table as seen from a seat, after the event `version()`. Returns a function that disconnects. */
export function connect(
  table: string,
  seat: number | null,
  version: () => number,
  handlers: ConnectionHandlers,
): () => void {
  const path = `tables/${table}`;
  let events: EventView[] = []; // of the update that is being received
  let unsubscribe = (): void => {};
  let closed = false;
  let stream = ""; // the name under which its pings are answered

  async function catchUp(): Promise<void> {
    try {
      const update = await requestUpdate(table, version(), seat);
      if (!closed) handlers.update(update);
    } catch (error) {
      if (closed) return;
      if (error instanceof RefusalError && !error.retryable) handlers.refused(error);
      else handlers.state("lost");
    }
  }

  function receive({ event, data }: ServerSentEvent): void {
    if (event === "happened") events.push(JSON.parse(data) as EventView);
    else if (event === "table") {
      handlers.update({ ...(JSON.parse(data) as Omit<TableUpdate, "events">), events });
      events = [];
      election.broadcast("changed");
    } else if (event === "ping") void requestJson(`${path}/present`, { body: { stream } }).catch(() => {});
    else {
      receiveEphemeral(event, data);
      election.broadcast({ event, data } satisfies ServerSentEvent);
    }
  }

  function receiveEphemeral(event: string, data: string): void {
    if (event === "here") handlers.presence(JSON.parse(data) as Presence);
    if (event === "reaction") handlers.reaction(JSON.parse(data) as SeatReaction);
    if (event === "clock") handlers.clock(JSON.parse(data) as Clock);
    if (event === "gone") {
      disconnect();
      handlers.deleted();
    }
  }

  function openStream(): void {
    if (closed) return;
    events = [];
    const query = (): Record<string, string | number | null> => {
      stream = randomHex(16);
      return { after: version(), seat, name: stream };
    };
    unsubscribe = subscribe(`${path}/stream`, query, {
      event: receive,
      refused: handlers.refused.bind(handlers),
      state(state) {
        if (state !== "live") events = [];
        handlers.state(state);
        election.broadcast({ state });
      },
    });
  }

  const election = joinElection(`${table}.${seat ?? ""}.${locale.language}`, {
    lead: () => queueMicrotask(openStream),
    follow() {
      unsubscribe();
      unsubscribe = () => {};
      void catchUp();
    },
    message(message) {
      if (message === "changed") void catchUp();
      else if (hasState(message)) handlers.state(message.state);
      else receiveEphemeral((message as ServerSentEvent).event, (message as ServerSentEvent).data);
    },
  });

  function disconnect(): void {
    closed = true;
    unsubscribe();
    election.leave();
  }

  void catchUp();
  return disconnect;
}

function hasState(message: unknown): message is { state: ConnectionState } {
  return typeof message === "object" && message !== null && "state" in message;
}
