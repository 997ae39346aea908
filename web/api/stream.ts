/** Client of server-sent events. Unlike EventSource it can send a token and report why the server refused. */
import { RefusalError, request } from "./client";

export interface ServerSentEvent {
  event: string;
  data: string;
}

export type ConnectionState = "connecting" | "live" | "lost";

export interface StreamHandlers {
  event(event: ServerSentEvent): void;
  state(state: ConnectionState): void;
  refused(error: RefusalError): void;
}

const SILENCE_TIMEOUT = 40_000; // milliseconds; the server sends something every fifteen seconds
const MAX_BACKOFF = 10_000; // milliseconds

/** Parses a response body; calls `alive` for everything that arrives, comments included. */
export async function* parseEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      text += value;
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  const data: string[] = [];
  let event = "message";
  for (const line of block.split("\n")) {
    const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value!;
    if (name === "data") data.push(value!);
  }
  return data.length ? { event, data: data.join("\n") } : null;
}

/** Subscribes to a stream and reconnects whenever the connection ends; `query` is asked before each attempt. Returns a function that unsubscribes. */
export function subscribe(
  path: string,
  query: () => Record<string, string | number | null>,
  handlers: StreamHandlers,
): () => void {
  let stopped = false;
  let current = new AbortController();
  let lastSeen = Date.now();
  let wake = (): void => {};

  async function connectOnce(): Promise<void> {
    current = new AbortController();
    lastSeen = Date.now();
    const response = await request(path, { query: query(), signal: current.signal });
    for await (const event of parseEvents(response.body!, () => (lastSeen = Date.now()))) {
      if (stopped) return;
      handlers.state("live");
      handlers.event(event);
    }
  }

  async function run(): Promise<void> {
    for (let attempt = 0; !stopped; attempt++) {
      const start = Date.now();
      try {
        await connectOnce();
      } catch (error) {
        if (stopped) return;
        if (error instanceof RefusalError && !error.retryable) return handlers.refused(error);
      }
      if (stopped) return;
      if (Date.now() - start > MAX_BACKOFF) attempt = 0;
      handlers.state("lost");
      await pause(Math.min(MAX_BACKOFF, 400 * 2 ** attempt) * (0.75 + Math.random() / 2));
      if (!stopped) handlers.state("connecting");
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** After sleep or flight mode: a silent connection counts as dead, and the next attempt starts at once. */
  function revive(): void {
    if (document.visibilityState === "hidden") return;
    if (Date.now() - lastSeen > SILENCE_TIMEOUT / 2) current.abort();
    wake();
  }

  /** Without a network a dead connection can look alive for a long time. */
  const drop = (): void => current.abort();

  const watchdog = setInterval(() => Date.now() - lastSeen > SILENCE_TIMEOUT && drop(), 5000);
  window.addEventListener("offline", drop);
  window.addEventListener("online", revive);
  document.addEventListener("visibilitychange", revive);
  void run();
  return () => {
    stopped = true;
    clearInterval(watchdog);
    window.removeEventListener("offline", drop);
    window.removeEventListener("online", revive);
    document.removeEventListener("visibilitychange", revive);
    current.abort();
    wake();
  };
}
