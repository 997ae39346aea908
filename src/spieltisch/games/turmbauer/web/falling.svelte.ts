/** The fall that is seen in place of the position: its film runs, or the stones lie as they came to rest. */
import { reducedMotion } from "#web/motion";
import type { GameEvent } from "#web/games/props";
import { unpack } from "./space/film";
import type { Fall } from "./space/scene";
import type { Cube } from "./tower";

export const SLOWLY = 0.25;

/** The place, among what happened, of the fall that led to this position, and how many stones fell; null for none. */
export function lastFall(events: readonly GameEvent[]): { at: number; stones: number } | null {
  const at = events.findLastIndex(({ kind }) => kind === "move" || kind === "draw");
  const found = /^fall (\d+)$/.exec(events[at]?.text ?? "");
  return found ? { at, stones: Number(found[1]) } : null;
}

export class Falling {
  /** What is shown in place of the position. */
  fall = $state.raw<Fall | null>(null);
  /** How fast its film runs; null while the stones lie. */
  speed = $state<number | null>(null);
  /** How many stones fell in it. */
  stones = $state(0);
  /** Whether there is no film of the fall that led to this position. */
  missing = $state(false);
  #events = -1;
  #passed = false; // the position that it led to is no longer shown
  #touched = false;
  #asked = 0;

  /** `left` is called when a fall has been seen, or cannot be. */
  constructor(readonly left: () => void) {}

  /** A position has come, with what happened before it; where a game has ended, the stones are left to lie. */
  arrive(
    events: readonly GameEvent[],
    stones: readonly (readonly Cube[])[],
    ended: boolean,
    film: (at: number) => Promise<ArrayBuffer | null>,
  ): void {
    const before = this.#events;
    if (events.length === before) return;
    this.#events = events.length;
    this.#passed = true;
    this.missing = false;
    if (this.speed === null) this.fall = null;
    const fell = lastFall(events);
    if (fell && events.length > before && (before >= 0 || ended))
      void this.see(fell, stones, film, before < 0 ? 0 : 1);
  }

  /** Fetches the film and shows it, so fast; 0 shows only its end. */
  async see(
    fell: { at: number; stones: number },
    stones: readonly (readonly Cube[])[],
    film: (at: number) => Promise<ArrayBuffer | null>,
    speed: number,
  ): Promise<void> {
    const [asked, events] = [++this.#asked, this.#events];
    this.#touched = false;
    const packed = await film(fell.at).catch(() => null);
    const shown = packed && (await unpack(packed).catch(() => null));
    if (asked !== this.#asked) return;
    const passed = events !== this.#events;
    if (!passed) this.missing = !shown;
    if (!shown) return this.left();
    if (passed && (this.#touched || reducedMotion())) return;
    this.#passed = passed;
    this.stones = fell.stones;
    this.fall = { stones, film: shown };
    this.speed = speed && !reducedMotion() ? speed : null;
  }

  /** Runs it again. */
  again(speed: number): void {
    if (!reducedMotion()) this.speed = speed;
  }

  /** The film has come to its end, or somebody has seen enough of it. */
  finish(): void {
    this.speed = null;
    if (this.#passed) this.leave();
  }

  /** Back to the position. */
  leave(): void {
    this.speed = null;
    if (!this.fall) return;
    this.fall = null;
    this.left();
  }

  /** Nobody looks any more. */
  end(): void {
    this.#asked++;
  }

  /** A tap or a key: ends the film, then puts the stones back. */
  skip(): void {
    this.#touched = true;
    if (this.speed !== null) this.finish();
    else this.leave();
  }
}
