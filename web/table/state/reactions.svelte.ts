/** Reactions at a table: those that seats show now, and the person's own. */
import { SvelteMap } from "svelte/reactivity";
import { RefusalError, requestJson } from "../../api/client";
import { isReaction, type ReactionName } from "../../art/reactions";
import { settings } from "../../settings.svelte";
import type { SeatReaction } from "./connection";

const SHOWN = 5000; // milliseconds
const PAUSE = 1500; // milliseconds between two of one person

export class ReactionState {
  /** What seats show now. */
  readonly shown = new SvelteMap<number, ReactionName>();
  /** Whether the person may react now. */
  ready = $state(true);
  readonly #timers: Record<number, ReturnType<typeof setTimeout>> = {};

  constructor(readonly table: string) {}

  /** Shows a reaction at its seat for some seconds, unless the person has muted them. */
  show({ seat, reaction }: SeatReaction): void {
    if (!settings.reactions || !isReaction(reaction)) return;
    this.shown.set(seat, reaction);
    clearTimeout(this.#timers[seat]);
    this.#timers[seat] = setTimeout(() => this.shown.delete(seat), SHOWN);
  }

  /** Shows everybody a reaction of a seat; if it does not arrive, nothing is lost. */
  async send(seat: number, reaction: ReactionName): Promise<void> {
    if (!this.ready) return;
    this.ready = false;
    let pause = PAUSE;
    try {
      await requestJson(`tables/${this.table}/react`, { body: { seat, reaction } });
    } catch (error) {
      if (error instanceof RefusalError) pause = Math.max(pause, 1000 * (error.retryAfter ?? 0));
    }
    setTimeout(() => (this.ready = true), pause);
  }
}
