/** Everything that a page knows about its table and can do there, put together from parts with one job each. */
import { RefusalError, startSession } from "../../api/client";
import { outbox } from "../../api/outbox.svelte";
import { retry } from "../../api/retry";
import { makeIdempotencyKey } from "../../api/token";
import type { CommandResult } from "../../api/types";
import { loadPart } from "../../games/parts";
import { rememberTable } from "../../home/recent-tables";
import { sounds } from "../../sound/player";
import { TableCommands } from "./commands";
import { Draft } from "./draft.svelte";
import { FairnessState } from "./fairness.svelte";
import { Handover } from "./handover.svelte";
import { RematchReturn } from "./rematch";
import { RequestState } from "./requests.svelte";
import { TableSession } from "./session.svelte";
import { SoundEffects } from "./sound-effects";

export class TableStore {
  readonly session: TableSession;
  readonly requests: RequestState;
  readonly draft: Draft;
  readonly commands: TableCommands;
  readonly handover: Handover;
  readonly fairness: FairnessState;
  #closed = false;

  constructor(name: string, code: string) {
    const effects = new SoundEffects(
      (sound, delay) => sounds.play(sound, delay),
      async (game) => (await loadPart(game, "sounds"))?.soundOf ?? null,
    );
    this.fairness = new FairnessState(name);
    this.session = new TableSession(name, {
      received: (table) => this.fairness.update(table),
      invalidated: () => this.draft.clear(),
      shown: ({ table, position, events }) => {
        rememberTable(name, table, position, this.session.events.at(-1)?.at ?? Date.now());
        rematch.update(table);
        this.handover.update(table);
        effects.shown(table, position, events, this.session.myTurn);
      },
    });
    this.requests = new RequestState({
      started: this.session.skipPlayback,
      outdated: () => {
        this.draft.clear();
        void this.session.catchUp();
      },
    });
    this.draft = new Draft(this.session, this.requests, (action) => effects.chosen(action));
    this.commands = new TableCommands(this.session, this.requests, code);
    this.handover = new Handover(this.session);
    const rematch = new RematchReturn(this.commands);
  }

  /** Delivers what an earlier page could not, uses the invitation, and connects. */
  async open(): Promise<void> {
    const { session, requests } = this;
    outbox.resume(session.name, (error) => requests.report(error));
    try {
      await this.#useInvitation();
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      session.error = error;
      return;
    }
    if (!this.#closed) session.connect(null);
  }

  close(): void {
    this.#closed = true;
    this.session.close();
  }

  async #useInvitation(): Promise<void> {
    const { code } = this.commands;
    if (!code) return;
    const body = { key: makeIdempotencyKey(), code };
    await retry(
      () => startSession<CommandResult>(`tables/${this.session.name}/watch`, body),
      () => (this.session.connection = "lost"),
    );
  }
}
