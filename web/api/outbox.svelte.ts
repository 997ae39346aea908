/** Commands on their way: each is kept until it is answered, across lost connections and reloads, and carried out once. */
import { recall, remember } from "../storage";
import { ask, Refused, Unreachable } from "./client";
import { makeKey } from "./token";

interface Letter {
  path: string;
  body: Record<string, unknown>;
}

const AGAIN = 1500; // milliseconds

class Outbox {
  /** How many commands could not be delivered yet. */
  waiting = $state(0);
  #letters: Letter[] = recall<Letter[]>("outbox") ?? [];

  /** The answer; Refused where the server says no. A server that is away is waited for. */
  async send<T>(path: string, body: Record<string, unknown> = {}): Promise<T> {
    const letter = { path, body: { key: makeKey(), ...body } };
    this.#letters.push(letter);
    this.#keep();
    return this.#deliver<T>(letter);
  }

  /** What an earlier page could not deliver to this table. */
  resume(table: string, refused: (error: Refused) => void): void {
    for (const letter of this.#letters.filter(({ path }) => path.startsWith(`tables/${table}/`))) {
      this.#deliver(letter).catch((error: unknown) => error instanceof Refused && refused(error));
    }
  }

  async #deliver<T>(letter: Letter): Promise<T> {
    let late = false;
    try {
      return await persist(
        () => ask<T>(letter.path, { body: letter.body }),
        () => {
          if (!late) this.waiting++;
          late = true;
        },
      );
    } finally {
      if (late) this.waiting--;
      this.#letters = this.#letters.filter((other) => other !== letter);
      this.#keep();
    }
  }

  #keep(): void {
    remember("outbox", this.#letters);
  }
}

/** Asks until there is an answer; whenever there is none, `failed` is told. */
export async function persist<T>(asking: () => Promise<T>, failed: () => void): Promise<T> {
  for (;;) {
    try {
      return await asking();
    } catch (error) {
      if (!(error instanceof Unreachable || (error instanceof Refused && error.passing))) throw error;
      failed();
      await sleep(error instanceof Refused ? 1000 * (error.after ?? 1) : AGAIN);
    }
  }
}

/** Waits, but no longer than until the network is back. */
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
    window.addEventListener("online", done);
  });
}

export const outbox = new Outbox();
