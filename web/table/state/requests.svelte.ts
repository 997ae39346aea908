/** State of the requests that a person makes at a table: whether one is under way, and why the last one failed. */
import { NetworkError, RefusalError } from "../../api/client";
import { say } from "../../i18n/catalogue.svelte";

/** A sentence about a failed request, with the rule that it cites. */
export interface Notice {
  words: string;
  rule: string | null;
}

export interface RequestHooks {
  /** Called before every request. */
  started(): void;
  /** The server refused because the table has moved on. */
  outdated(): void;
}

export class RequestState {
  busy = $state(false);
  notice = $state.raw<Notice | null>(null);

  constructor(readonly hooks: RequestHooks) {}

  /** Runs a request and returns its result; null if it failed, in which case there is a notice. */
  async run<T>(request: () => Promise<T>): Promise<T | null> {
    this.hooks.started();
    this.busy = true;
    this.notice = null;
    try {
      return await request();
    } catch (error) {
      this.report(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  report(error: unknown): void {
    if (error instanceof RefusalError) {
      this.notice = { words: error.message, rule: error.rule };
      if (error.code === "stale" || error.code === "not-pending") this.hooks.outdated();
    } else if (error instanceof NetworkError) this.notice = { words: say("link.failed"), rule: null };
    else if (!isAbort(error)) throw error;
  }

  dismiss(): void {
    this.notice = null;
  }
}

/** Whether the request was given up on purpose. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
