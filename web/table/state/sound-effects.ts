/** Sound effects of a table: which sound belongs to what is shown. The games say how their pieces sound. */
import type { EventView, Position, TableView } from "../../api/types";
import type { GameEvent, SoundOf } from "../../games/props";
import type { Sound } from "../../sound/synthesizer";

const NEXT = 0.45; // seconds after the sound of a piece at which the table says whose turn it is, or who has won

export class SoundEffects {
  #soundOf: SoundOf = () => null;
  #game: string | null = null;
  #myTurn = false;
  #playing = false;

  constructor(
    readonly play: (sound: Sound, delay?: number) => void,
    /** Loads how the pieces of a game sound. */
    readonly load: (game: string) => Promise<SoundOf | null>,
  ) {}

  /** The person adds an action to the draft: it is heard at once, and not again when the server confirms it. */
  chosen(text: string): void {
    this.#playPiece([{ kind: "move", text }]);
  }

  /** A new state of the table is shown, with the events that are new. */
  shown(table: TableView, position: Position | null, fresh: readonly EventView[], myTurn: boolean): void {
    if (table.game !== this.#game) this.#learn(table.game);
    const own = (seat: number | null): boolean =>
      seat !== null && table.you.includes(seat) && table.seats[seat]?.player === null;
    const heard = this.#playPiece(fresh.filter(({ kind, seat }) => kind !== "move" || !own(seat)));
    const delay = heard ? NEXT : 0;
    if (this.#playing && fresh.length && table.you.some((seat) => position?.outcome?.ranks[seat] === 1))
      this.play("win", delay);
    else if (myTurn && !this.#myTurn) this.play("turn", delay);
    this.#myTurn = myTurn;
    this.#playing = table.status === "playing";
  }

  /** Plays the last sound of some events; several at once would be a noise. */
  #playPiece(events: readonly Pick<GameEvent, "kind" | "text">[]): boolean {
    const sound = events.map((event) => this.#soundOf(event)).findLast((found) => found !== null);
    if (sound) this.play(sound);
    return Boolean(sound);
  }

  #learn(game: string): void {
    this.#game = game;
    this.load(game).then(
      (found) => (this.#soundOf = found ?? (() => null)),
      () => (this.#game = null), // the network failed: the next update tries again
    );
  }
}
