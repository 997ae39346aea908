/** The table as the server has reported it to this browser, and the connection over which updates arrive. */
import { requestBytes, requestDetails, type RefusalError } from "../../api/client";
import type { ConnectionState } from "../../api/stream";
import type { EventView, Position, TableView, TableUpdate } from "../../api/types";
import { requestUpdate } from "../../api/updates";
import type { DetailLoader } from "../../games/props";
import { scaleDuration } from "../../motion";
import { connect } from "./connection";
import { PlaybackQueue } from "./playback";

const MOVE_TIME = 1100; // milliseconds for which another player's move is shown before the next

export interface SessionHooks {
  /** An update has arrived; playback may show it later. */
  received(table: TableView): void;
  /** The position changes: a draft for the old one is void. */
  invalidated(): void;
  /** An update is shown. */
  shown(table: TableView): void;
}

export class TableSession {
  table = $state.raw<TableView>();
  position = $state.raw<Position | null>(null);
  events = $state.raw<EventView[]>([]);
  version = $state(0);
  /** The seats whose players are connected. */
  present = $state.raw<number[]>([]);
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
  readonly names = $derived.by(() => this.table?.seats.map((seat) => seat.name) ?? []);

  readonly #playback = new PlaybackQueue<TableUpdate>((update) => this.#show(update));
  #received = 0; // the newest version, shown or not
  #requestedSeat: number | null = null;
  #disconnect = (): void => {};

  constructor(
    readonly name: string,
    readonly hooks: SessionHooks,
  ) {}

  /** The seat from which the table was asked for; null lets the server choose. */
  get requestedSeat(): number | null {
    return this.#requestedSeat;
  }

  connect(seat: number | null): void {
    this.#disconnect();
    this.#requestedSeat = seat;
    this.#disconnect = connect(this.name, seat, () => this.#received, {
      update: (update) => this.#receive(update),
      presence: (seats) => (this.present = seats),
      clock: ({ seat, left }) => (this.clock = { seat, until: Date.now() + 1000 * left }),
      state: (state) => (this.connection = state),
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

  readonly details: DetailLoader = {
    loadFilm: (index) => requestBytes(`tables/${this.name}/films/${this.events[index]!.number}`),
    loadDetails: () => requestDetails(`tables/${this.name}/inside`, { query: { seat: this.#requestedSeat } }),
  };

  #receive(update: TableUpdate): void {
    if (update.version < this.#received) return;
    this.#received = update.version;
    this.connection = "live";
    this.hooks.received(update.table);
    this.#playback.push(update);
    if (document.hidden) this.#playback.flush();
  }

  /** Shows an update, and returns the milliseconds for which it is shown alone. */
  #show({ version, table, position, events }: TableUpdate): number {
    if (version > this.version && this.version > 0) this.hooks.invalidated();
    const fresh = events.filter((event) => event.number > this.version);
    if (fresh.length) this.events = [...this.events, ...fresh];
    this.version = version;
    this.table = table;
    this.position = position;
    if (table.turn !== this.clock?.seat) this.clock = null;
    this.hooks.shown(table);
    const others = fresh.some(({ kind, seat }) => kind === "move" && !table.you.includes(seat ?? -1));
    return others && table.status === "playing" ? scaleDuration(MOVE_TIME) : 0;
  }
}
