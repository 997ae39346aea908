/** A table as this browser knows it: what the server told, the draft of the turn, and every command. */
import { ask, bytes, introduce, look, Refused, Unreachable } from "../../api/client";
import { forgetNonce, keepNonce, makeNonce, nonceOf } from "../../api/nonces";
import { outbox, persist } from "../../api/outbox.svelte";
import { makeKey } from "../../api/token";
import type { Link } from "../../api/stream";
import type { Choice, Done, Event, Hint, Position, Previewed, TableNow, Told } from "../../api/types";
import { say } from "../../i18n/catalogue.svelte";
import { settings } from "../../settings.svelte";
import { noteTable } from "../../home/recent-tables";
import { scaleDuration } from "../../motion";
import type { DetailLoader } from "../../games/props";
import { follow, type Clock } from "./connection";
import { Pace } from "./playback";

const SEEN = 1100; // milliseconds for which another's move is shown before the next

/** A sentence that is shown for a while, with the rule it is about. */
export interface Notice {
  words: string;
  rule: string | null;
  bad: boolean;
}

export class Sitting {
  table = $state.raw<TableNow>();
  position = $state.raw<Position | null>(null);
  events = $state.raw<Event[]>([]);
  version = $state(0);
  here = $state.raw<number[]>([]);
  clock = $state.raw<{ seat: number | null; until: number } | null>(null);
  link = $state<Link>("connecting");
  problem = $state.raw<Refused | null>(null);
  gone = $state(false);
  /** Whether the screen waits to be passed on to the person whose turn it is. */
  covered = $state(false);
  draft = $state.raw<string[]>([]);
  preview = $state.raw<Previewed | null>(null);
  /** Those choices that are still meant, after one thing of them was pointed at on the board. */
  narrowed = $state.raw<Choice[] | null>(null);
  hint = $state.raw<Hint | null>(null);
  busy = $state(false);
  notice = $state.raw<Notice | null>(null);

  readonly #pace = new Pace<Told>((news) => this.#show(news));
  #heard = 0; // the version that has come, shown or not
  #looking: number | null = null;
  #stop = (): void => {};
  #revealed: string[] = [];
  #returning = false;
  #ended = false;
  #code: string;

  constructor(
    readonly name: string,
    code: string,
  ) {
    this.#code = code;
  }

  readonly seat = $derived.by(() => this.table?.viewer ?? null);
  readonly myTurn = $derived.by(
    () => this.table?.waiting === "person" && this.table.turn === this.seat && this.seat !== null,
  );
  readonly choices = $derived.by<Choice[]>(() =>
    this.preview ? this.preview.choices : (this.position?.choices ?? []),
  );
  readonly view = $derived.by(() => this.preview?.view ?? this.position?.view ?? null);
  readonly described = $derived.by(() => this.preview?.told ?? this.position?.told ?? []);
  readonly names = $derived.by(() => this.table?.seats.map((seat) => seat.name) ?? []);

  async begin(): Promise<void> {
    outbox.resume(this.name, (error) => this.#say(error));
    if (this.#code) {
      const invitation = { key: makeKey(), code: this.#code };
      try {
        await persist(
          () => introduce<Done>(`tables/${this.name}/watch`, invitation),
          () => (this.link = "lost"),
        );
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.problem = error;
        return;
      }
    }
    if (!this.#ended) this.#follow(null);
  }

  end(): void {
    this.#ended = true;
    this.#pace.clear();
    this.#stop();
  }

  /** Everything anew, in another language or from another seat. */
  restart(seat = this.#looking): void {
    this.events = [];
    this.version = 0;
    this.#heard = 0;
    this.#pace.clear();
    this.takeAllBack();
    this.#follow(seat);
  }

  #follow(seat: number | null): void {
    this.#stop();
    this.#looking = seat;
    this.#stop = follow(this.name, seat, () => this.#heard, {
      told: (news) => this.#told(news),
      here: (seats) => (this.here = seats),
      clock: (clock) => this.#tick(clock),
      link: (state) => (this.link = state),
      gone: () => (this.gone = true),
      refused: (error) => (this.problem = error),
    });
  }

  /** Asks what has happened, where the news has not come by itself. */
  async #catchUp(): Promise<void> {
    const query = { after: this.#heard, seat: this.#looking };
    const news = await ask<Told>(`tables/${this.name}/events`, { query }).catch(() => null);
    if (news && query.seat === this.#looking) this.#told(news);
  }

  #told(news: Told): void {
    if (news.version < this.#heard) return;
    this.#heard = news.version;
    this.link = "live";
    this.#reveal(news.table);
    this.#pace.take(news);
    if (document.hidden) this.#pace.hurry();
  }

  /** Shows at once what others have done meanwhile. */
  hurry = (): void => this.#pace.hurry();

  #show(news: Told): number {
    if (news.version > this.version && this.version > 0) this.takeAllBack();
    const fresh = news.events.filter((event) => event.number > this.version);
    if (fresh.length) this.events = [...this.events, ...fresh];
    this.version = news.version;
    this.table = news.table;
    this.position = news.position;
    if (news.table.turn !== this.clock?.seat) this.clock = null;
    noteTable(this.name, news.table);
    this.#return(news.table);
    this.#pass(news.table);
    const others = fresh.some(({ kind, seat }) => kind === "move" && !news.table.you.includes(seat ?? -1));
    return others && news.table.status === "playing" ? scaleDuration(SEEN) : 0;
  }

  /** Several people at one device: each sees the table with their own eyes, and nothing before the device is theirs. */
  #pass(table: TableNow): void {
    if (table.you.length < 2 || table.status !== "playing") {
      this.covered = false;
      return;
    }
    const mine = table.waiting === "person" && table.turn !== null && table.you.includes(table.turn);
    const seat = mine ? table.turn! : (this.#looking ?? table.viewer ?? table.you[0]!);
    if (seat === this.#looking) return;
    this.covered = table.hides;
    this.table = { ...table, viewer: seat };
    this.position = null; // it was seen with the eyes of the one before
    this.restart(seat);
  }

  uncover(): void {
    this.covered = false;
  }

  /** After a match the seats are kept for those who had them: whoever comes sits down, and the host begins. */
  #return(table: TableNow): void {
    if (table.status !== "gathering" || this.busy) return;
    const kept = table.seats.findIndex((seat) => seat.you && seat.kept);
    if (kept >= 0) {
      this.#returning = true;
      void this.join(table.seats[kept]!.name, kept);
    } else if (
      this.#returning &&
      table.host &&
      table.seats.every((seat) => seat.kind !== "open" && !seat.kept)
    ) {
      this.#returning = false;
      void this.start();
    }
  }

  #reveal(table: TableNow): void {
    if (table.status !== "revealing") return;
    for (const seat of table.you) {
      const commit = table.fair.commitments[seat];
      const nonce = commit && nonceOf(commit);
      if (!nonce || table.fair.nonces[seat] || this.#revealed.includes(commit)) continue;
      this.#revealed.push(commit);
      void outbox
        .send<Done>(`tables/${this.name}/reveal`, { seat, nonce })
        .then(() => forgetNonce(commit))
        .catch(() => {}); // after ten seconds the match begins without it
    }
  }

  #tick(clock: Clock): void {
    this.clock = { seat: clock.seat, until: Date.now() + 1000 * clock.left };
  }

  // The draft.

  /** Adds a choice to the draft; a turn that is complete is played, unless the person wants to confirm it. */
  async choose(text: string): Promise<void> {
    if (this.busy) return;
    const draft = [...this.draft, text];
    const preview = await this.#look(draft);
    if (!preview) return;
    if (preview.complete && !settings.confirm) await this.play();
  }

  async takeBack(): Promise<void> {
    if (this.busy) return;
    if (this.draft.length <= 1) this.takeAllBack();
    else await this.#look(this.draft.slice(0, -1));
  }

  takeAllBack(): void {
    this.draft = [];
    this.preview = null;
    this.hint = null;
    this.narrowed = null;
  }

  /** Means only these choices from now on; null for all of them. */
  narrow = (choices: Choice[] | null): void => {
    this.narrowed = choices?.length ? choices : null;
  };

  /** Where a draft would lead; nothing changes. */
  ask = (draft: string[]): Promise<Previewed> =>
    ask<Previewed>(`tables/${this.name}/preview`, {
      body: { seat: this.seat, version: this.version, draft },
    });

  readonly closer: DetailLoader = {
    loadFilm: (at) => bytes(`tables/${this.name}/films/${this.events[at]!.number}`),
    loadDetails: () => look(`tables/${this.name}/inside`, { query: { seat: this.#looking } }),
  };

  async #look(draft: string[]): Promise<Previewed | null> {
    const found = await this.#busily(() => this.ask(draft));
    if (found && found.version === this.version) {
      this.draft = draft;
      this.preview = found;
      this.hint = null;
      this.narrowed = null;
      return found;
    }
    return null;
  }

  async play(): Promise<void> {
    const { draft, version, seat } = this;
    await this.#busily(() => outbox.send<Done>(`tables/${this.name}/actions`, { seat, version, draft }));
  }

  async askHint(): Promise<void> {
    const { draft, version, seat } = this;
    const found = await this.#busily(() =>
      ask<Hint>(`tables/${this.name}/hint`, { body: { seat, version, draft } }),
    );
    if (found?.version === this.version) this.hint = found;
  }

  // The other commands.

  async join(name: string, seat: number | null = null): Promise<boolean> {
    const nonce = makeNonce();
    keepNonce(nonce);
    const done = await this.#busily(() =>
      introduce<Done>(`tables/${this.name}/join`, {
        key: makeKey(),
        name,
        seat,
        code: this.#code,
        commit: nonce.commit,
      }),
    );
    if (done) this.restart();
    return done !== null;
  }

  give(seat: number, player: string | null): Promise<unknown> {
    return this.#command("seats", { seat, player });
  }

  start = (): Promise<unknown> => this.#command("start");
  goOn = (): Promise<unknown> => this.#command("continue");
  undo = (): Promise<unknown> => this.#command("undo", { seat: this.seat, version: this.version });
  resign = (): Promise<unknown> => this.#command("resign", { seat: this.seat });
  leave = (): Promise<unknown> => this.#command("leave", { seat: this.seat });
  lend = (): Promise<unknown> => this.#command("lend", { seat: this.seat });
  takeSeatBack = (): Promise<unknown> => this.#command("return", { seat: this.seat });
  standIn = (about: number): Promise<unknown> => this.#command("stand-in", { seat: this.seat, about });
  answer = (seat: number, yes: boolean): Promise<unknown> =>
    this.#command("answer", { seat, version: this.version, yes });

  async rematch(): Promise<string | null> {
    const done = await this.#busily(() => outbox.send<Done>(`tables/${this.name}/rematch`));
    return done?.table ?? null;
  }

  async remove(): Promise<boolean> {
    const done = await this.#busily(async () => {
      await ask<undefined>(`tables/${this.name}`, { method: "DELETE" });
      return true;
    });
    return done ?? false;
  }

  #command(what: string, body: Record<string, unknown> = {}): Promise<Done | null> {
    return this.#busily(() => outbox.send<Done>(`tables/${this.name}/${what}`, body));
  }

  async #busily<T>(work: () => Promise<T>): Promise<T | null> {
    this.hurry();
    this.busy = true;
    this.notice = null;
    try {
      return await work();
    } catch (error) {
      this.#say(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  #say(error: unknown): void {
    if (error instanceof Refused) {
      this.notice = { words: error.message, rule: error.rule, bad: true };
      if (error.code === "stale" || error.code === "not-pending") {
        this.takeAllBack();
        void this.#catchUp();
      }
    } else if (error instanceof Unreachable) this.notice = { words: say("link.lost"), rule: null, bad: true };
    else throw error;
  }
}
