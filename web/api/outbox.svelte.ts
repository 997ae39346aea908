/** Outbox of commands: each is stored until the server responds, across lost connections and reloads, and takes effect once. */
import { storage } from "../storage";
import { RefusalError, requestJson } from "./client";
import { retry } from "./retry";
import { makeIdempotencyKey } from "./token";

interface Command {
  path: string;
  body: Record<string, unknown> & { key: string };
}

const PREFIX = "outbox."; // an entry per command: the tabs of a browser do not overwrite each other's
const ATTEMPT_TIMEOUT = 20_000; // milliseconds: a connection that died silently is not waited for any longer

class Outbox {
  /** The number of things that are being retried. */
  retrying = $state(0);
  readonly #delivering = new Map<string, Promise<unknown>>();

  /** Sends a command and returns the response; retries while the server is down. */
  async send<T>(path: string, body: Record<string, unknown> = {}): Promise<T> {
    const command = { path, body: { key: makeIdempotencyKey(), ...body } };
    storage.save(PREFIX + command.body.key, command);
    return this.#deliver<T>(command).catch((error: unknown) => {
      forget(command);
      throw error;
    });
  }

  /** Asks for something that changes nothing, or that has a key of its own; retries while the server is down. */
  async ask<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let late = false;
    try {
      return await retry(
        attempt,
        () => {
          if (!late) this.retrying++;
          late = true;
        },
        signal,
      );
    } finally {
      if (late) this.retrying--;
    }
  }

  /** Sends the commands to this table that could not be delivered yet, and reports those that are refused. */
  resume(table: string, refused: (error: RefusalError) => void): void {
    for (const command of loadAll())
      if (command.path.startsWith(`tables/${table}/`))
        this.#deliver(command).catch((error: unknown) => {
          forget(command);
          if (error instanceof RefusalError) refused(error);
        });
  }

  /** Sends everything that an earlier page could not deliver; what is refused is kept for the page of its table, which says why. */
  resumeAll(): void {
    for (const command of loadAll())
      this.#deliver(command).catch((error: unknown) => {
        if (error instanceof RefusalError && error.status === 404) forget(command); // there is no such table any more
      });
  }

  /** Delivers a command, or waits for its delivery if that is under way. */
  #deliver<T>(command: Command): Promise<T> {
    const { key } = command.body;
    const delivering = this.#delivering.get(key) ?? this.#attempt(command);
    this.#delivering.set(key, delivering);
    return delivering as Promise<T>;
  }

  async #attempt<T>(command: Command): Promise<T> {
    const { path, body } = command;
    try {
      const response = await this.ask(() => requestJson<T>(path, { body, timeout: ATTEMPT_TIMEOUT }));
      forget(command);
      return response;
    } finally {
      this.#delivering.delete(body.key);
    }
  }
}

const loadAll = (): Command[] => storage.keys(PREFIX).flatMap((name) => storage.load<Command>(name) ?? []);
const forget = ({ body }: Command): void => storage.remove(PREFIX + body.key);

export const outbox = new Outbox();
