/** The table as the server has reported it to this browser, and the connection over which updates arrive. */
import { requestBytes, requestDetails, type RefusalError } from "../../api/client";
import { retryNow } from "../../api/retry";
import type { ConnectionState } from "../../api/stream";
import type { EventView, Position, TableView, TableUpdate } from "../../api/types";
import { requestUpdate } from "../../api/updates";
import type { DetailLoader } from "../../games/props";
import { currentTurns, hintedSeat, lastMarks, listLines, turnsSince } from "../../log/lines";
import { reducedMotion, scaleDuration } from "../../motion";
import { connect } from "./connection";
import { PlaybackQueue } from "./playback";
import { ReactionState } from "./reactions.svelte";

const MOVE_TIME = 1100; // milliseconds for which another player's move is shown before the next
const BEFORE_TIME = 500; // milliseconds for which the table is shown as it was before what is shown again
const MAX_REPLAYED = 12; // updates: enough for everybody's turns

/** An update to be shown, for the first time or again. */
interface Showing {
  update: TableUpdate;
  again: boolean;
  /** The least time for which it is shown, in milliseconds. */
  least?: number;
}

export interface SessionHooks {
  /** An update has arrived; playback may show it later. */
  received(table: TableView): void;
  /** The position changes: a draft for the old one is void. */
  invalidated(): void;
  /** An update is shown; its events are those that are new since the one before. */
  shown(update: TableUpdate): void;
}

export class TableSession {
  table = $state.raw<TableView>();
  position = $state.raw<Position | null>(null);
  events = $state.raw<EventView[]>([]);
  version = $state(0);
  /** The version after which nothing has happened but hints: what was drafted for it still holds. */
  draftable = 0;
  /** The seats whose players are connected. */
  present = $state.raw<number[]>([]);
  /** How many people watch. */
  spectators = $state(0);
  /** The running clock; `until` is a time in milliseconds since the epoch. */
  clock = $state.raw<{ seat: number | null; until: number } | null>(null);
  connection = $state<ConnectionState>("connecting");
  /** Why the table cannot be shown. */
  error = $state.raw<RefusalError | null>(null);
  deleted = $state(false);

  readonly seat = $derived.by(() => this.table?.viewer ?? null);
  readonly myTurn = $derived.by(
    () => this.table?.waiting === "person" && this.table.turn === this.seat && this.seat !== null,
  );
  /** Whether a bot plays for my seat. */
  readonly lent = $derived.by(() => {
    const seat = this.seat === null ? undefined : this.table?.seats[this.seat];
    return seat !== undefined && seat.you && seat.player !== null;
  });
  /** The seat whose move is being shown: the next one may be to move already. */
  mover = $state<number | null>(null);
  /** The log, a line per turn. */
  readonly lines = $derived.by(() => listLines(this.events));
  /** The others' turns since the last one of the seat from which the table is seen. */
  readonly since = $derived.by(() => turnsSince(this.lines, this.seat, this.table?.seats.length ?? 0));
  /** Where everybody's last turn took place. */
  readonly marks = $derived.by(() => lastMarks(this.lines));
  /** Whether there is a turn of mine in this game that could be undone. */
  readonly hasMoves = $derived.by(() =>
    currentTurns(this.lines).some(({ steps }) =>
      steps.some(({ kind, seat }) => kind === "move" && seat === this.seat),
    ),
  );
  /** The seat to move, if it was given a hint in this turn and others are told so. */
  readonly hinted = $derived.by(() => hintedSeat(this.events, this.table?.turn ?? null));
  readonly names = $derived.by(() => this.table?.seats.map((seat) => seat.name) ?? []);

  readonly reactions: ReactionState;
  readonly #playback = new PlaybackQueue<Showing>(
    (showing) => this.#show(showing),
    () => (this.mover = null),
  );
  /** The updates since my last move: the first one shows the table before the others have moved. */
  #recent = $state.raw<TableUpdate[]>([]);
  #received = 0; // the newest version, shown or not
  #hurried = false; // whether moves are shown without delay until it is my turn
  #requestedSeat: number | null = null;
  #disconnect = (): void => {};

  constructor(
    readonly name: string,
    readonly hooks: SessionHooks,
  ) {
    this.reactions = new ReactionState(name);
  }

  /** The seat from which the table was asked for; null lets the server choose. */
  get requestedSeat(): number | null {
    return this.#requestedSeat;
  }

  connect(seat: number | null): void {
    this.#disconnect();
    this.#requestedSeat = seat;
    this.#disconnect = connect(this.name, seat, () => this.#received, {
      update: (update) => this.#receive(update),
      presence: ({ seats, spectators }) => {
        this.present = seats;
        this.spectators = spectators;
      },
      reaction: (reaction) => this.reactions.show(reaction),
      clock: ({ seat, left }) => (this.clock = { seat, until: Date.now() + 1000 * left }),
      state: (state) => this.#setConnection(state),
      deleted: () => (this.deleted = true),
      refused: (error) => (this.error = error),
    });
  }

  close(): void {
    this.#playback.clear();
    this.#disconnect();
  }

  /** Loads everything again, in another language or from another seat. */
  reload(seat = this.#requestedSeat): void {
    this.events = [];
    this.version = 0;
    this.#received = 0;
    this.#recent = [];
    this.#playback.clear();
    this.hooks.invalidated();
    this.connect(seat);
  }

  /** Shows the table from another of this browser's seats; until it is loaded there is no position. */
  switchSeat(seat: number): void {
    this.table = { ...this.table!, viewer: seat };
    this.position = null;
    this.reload(seat);
  }

  /** Asks for the events that have not arrived by themselves. */
  async catchUp(): Promise<void> {
    const seat = this.#requestedSeat;
    const update = await requestUpdate(this.name, this.#received, seat).catch(() => null);
    if (update && seat === this.#requestedSeat) this.#receive(update);
  }

  /** Shows at once all moves that playback still holds back. */
  skipPlayback = (): void => this.#playback.flush();

  /** Ends the showing of one player's moves; those of the next begin. */
  skipMover = (): void => {
    const { mover } = this;
    if (mover !== null) this.#playback.skip(({ update, again }) => this.#moverOf(update, again) === mover);
  };

  /** Shows the others' moves without delay until it is my turn, those that are still to come included. */
  skipAll = (): void => {
    this.#hurried = this.seat !== null;
    this.skipPlayback();
  };

  /** Whether there are moves of others to show again. */
  readonly canReplay = $derived.by(() => this.#recent.length > 1 && this.mover === null && !reducedMotion());

  /** Shows the others' moves since my last one again. */
  replay = (): void => {
    this.skipPlayback();
    this.hooks.invalidated();
    for (const [at, update] of this.#recent.entries())
      this.#playback.push({ update, again: true, least: at === 0 ? scaleDuration(BEFORE_TIME) : 0 });
  };

  readonly details: DetailLoader = {
    loadFilm: (index) => requestBytes(`tables/${this.name}/films/${this.events[index]!.number}`),
    loadDetails: () => requestDetails(`tables/${this.name}/inside`, { query: { seat: this.#requestedSeat } }),
  };

  #receive(update: TableUpdate): void {
    if (update.version < this.#received) return;
    this.#received = update.version;
    this.#setConnection("live");
    this.hooks.received(update.table);
    this.#playback.push({ update, again: false });
    if (document.hidden) this.#playback.flush();
  }

  /** Notes the state of the connection; what waits for it to come back is sent at once. */
  #setConnection(state: ConnectionState): void {
    if (state === "live" && this.connection !== "live") retryNow();
    this.connection = state;
  }

  /** Shows an update, and returns the milliseconds for which it is shown alone. */
  #show({ update, again, least = 0 }: Showing): number {
    const { version, table, position, events } = update;
    const fresh = again ? events : events.filter((event) => event.number > this.version);
    const isFirst = this.version === 0;
    const onlyHints =
      !isFirst && fresh.length === version - this.version && fresh.every(({ kind }) => kind === "hinted");
    if (!again) {
      if (!onlyHints) {
        if (version > this.version && !isFirst) this.hooks.invalidated();
        this.draftable = version;
      }
      if (fresh.length) this.events = [...this.events, ...fresh];
      this.version = version;
    }
    this.table = table;
    this.position = position;
    if (table.turn !== this.clock?.seat) this.clock = null;
    if (!again) this.hooks.shown({ ...update, events: isFirst ? [] : fresh });
    const moves = fresh.filter(({ kind }) => kind === "move");
    const mine = moves.some(({ seat }) => table.you.includes(seat ?? -1));
    if (!again && fresh.length && !onlyHints)
      this.#recent =
        isFirst || mine || !moves.length ? [update] : [...this.#recent, update].slice(-MAX_REPLAYED);
    if (mine || this.myTurn || table.status !== "playing") this.#hurried = false;
    const other = isFirst || least > 0 || this.#hurried ? null : othersMove(table, moves);
    const milliseconds = other !== null && table.status === "playing" ? scaleDuration(MOVE_TIME) : 0;
    this.mover = milliseconds > 0 ? other : null;
    return Math.max(milliseconds, least);
  }

  /** Who moves in an update that is not shown yet. */
  #moverOf({ table, events }: TableUpdate, again: boolean): number | null {
    const isNew = ({ kind, number }: EventView): boolean =>
      kind === "move" && (again || number > this.version);
    return othersMove(table, events.filter(isNew));
  }
}

/** The seat of the last move that is not mine; null if there is none. */
function othersMove(table: TableView, moves: EventView[]): number | null {
  return moves.findLast(({ seat }) => !table.you.includes(seat ?? -1))?.seat ?? null;
}
