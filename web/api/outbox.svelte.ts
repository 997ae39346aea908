/** Outbox of commands: each is stored until the server responds, across lost connections and reloads, and takes effect once. */
import { storage } from "../storage";
import { NetworkError, RefusalError, requestJson } from "./client";
import { makeIdempotencyKey } from "./token";

interface Command {
  path: string;
  body: Record<string, unknown>;
}

const RETRY_DELAY = 1500; // milliseconds

class Outbox {
  /** The number of commands that are being retried. */
  retrying = $state(0);
  #pending: Command[] = storage.load<Command[]>("outbox") ?? [];

  /** Sends a command and returns the response; retries while the server is down. */
  async send<T>(path: string, body: Record<string, unknown> = {}): Promise<T> {
    const command = { path, body: { key: makeIdempotencyKey(), ...body } };
    this.#pending.push(command);
    this.#save();
    return this.#deliver<T>(command);
  }

  /** Sends the commands to this table that an earlier page could not deliver. */
  resume(table: string, refused: (error: RefusalError) => void): void {
    for (const command of this.#pending.filter(({ path }) => path.startsWith(`tables/${table}/`))) {
      this.#deliver(command).catch((error: unknown) => error instanceof RefusalError && refused(error));
    }
  }

  async #deliver<T>(command: Command): Promise<T> {
    let late = false;
    try {
      return await retry(
        () => requestJson<T>(command.path, { body: command.body }),
        () => {
          if (!late) this.retrying++;
          late = true;
        },
      );
    } finally {
      if (late) this.retrying--;
      this.#pending = this.#pending.filter((other) => other !== command);
      this.#save();
    }
  }

  #save(): void {
    storage.save("outbox", this.#pending);
  }
}

/** Repeats a request until the server responds; calls `failed` after every attempt without a response. */
export async function retry<T>(attempt: () => Promise<T>, failed: () => void): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NetworkError || (error instanceof RefusalError && error.retryable))) throw error;
      failed();
      await sleep(error instanceof RefusalError ? 1000 * (error.retryAfter ?? 1) : RETRY_DELAY);
    }
  }
}

/** Waits, at most until the network is back. */
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
