/** Playback of a fall, which is shown instead of the position: its film runs, or the stones lie where they came to rest. */
import type { GameEvent } from "#web/games/props";
import { reducedMotion } from "#web/motion";
import { unpackFilm, type Fall } from "../scene/fall/film";
import type { Stone } from "../view";

export const SLOW_MOTION = 0.25;

/** The event of a fall, by its index, and the number of stones that fell. */
export interface FallEvent {
  index: number;
  stones: number;
}

type LoadFilm = (index: number) => Promise<ArrayBuffer | null>;

/** The fall that led to the current position; null if none did. */
export function lastFall(events: readonly GameEvent[]): FallEvent | null {
  const index = events.findLastIndex(({ kind }) => kind === "move" || kind === "draw");
  const found = /^fall (\d+)$/.exec(events[index]?.text ?? "");
  return found ? { index, stones: Number(found[1]) } : null;
}

export class FallPlayback {
  /** The fall to show instead of the position. */
  fall = $state.raw<Fall | null>(null);
  /** The speed of its film; null after its end. */
  speed = $state<number | null>(null);
  /** The number of stones that fell in it. */
  stones = $state(0);
  /** Whether the fall that led to this position has no film. */
  missing = $state(false);
  #eventCount = -1;
  #outdated = false; // a later position has arrived since
  #skipped = false;
  #requests = 0;

  /** `onClose` is called when a fall has been seen, or cannot be. */
  constructor(readonly onClose: () => void) {}

  /** Takes a new position with its events; if the game has ended, the stones are left lying. */
  update(events: readonly GameEvent[], stones: readonly Stone[], ended: boolean, loadFilm: LoadFilm): void {
    const before = this.#eventCount;
    if (events.length === before) return;
    this.#eventCount = events.length;
    this.#outdated = true;
    this.missing = false;
    if (this.speed === null) this.fall = null;
    const event = lastFall(events);
    if (event && events.length > before && (before >= 0 || ended))
      void this.load(event, stones, loadFilm, before < 0 ? 0 : 1);
  }

  /** Loads the film and plays it at a speed; 0 shows only its end. */
  async load(event: FallEvent, stones: readonly Stone[], loadFilm: LoadFilm, speed: number): Promise<void> {
    const [request, eventCount] = [++this.#requests, this.#eventCount];
    this.#skipped = false;
    const packed = await loadFilm(event.index).catch(() => null);
    const film = packed && (await unpackFilm(packed).catch(() => null));
    if (request !== this.#requests) return;
    const outdated = eventCount !== this.#eventCount;
    if (!outdated) this.missing = !film;
    if (!film) return this.onClose();
    if (outdated && (this.#skipped || reducedMotion())) return;
    this.#outdated = outdated;
    this.stones = event.stones;
    this.fall = { stones, film };
    this.speed = speed && !reducedMotion() ? speed : null;
  }

  replay(speed: number): void {
    if (!reducedMotion()) this.speed = speed;
  }

  /** Jumps to the end of the film. */
  finish(): void {
    this.speed = null;
    if (this.#outdated) this.close();
  }

  /** Returns to the position. */
  close(): void {
    this.speed = null;
    if (!this.fall) return;
    this.fall = null;
    this.onClose();
  }

  /** Cancels a request under way. */
  dispose(): void {
    this.#requests++;
  }

  /** Handles a tap or a key: finishes the film, then returns to the position. */
  skip(): void {
    this.#skipped = true;
    if (this.speed !== null) this.finish();
    else this.close();
  }
}
