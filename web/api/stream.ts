/** A table's event stream, read by hand: unlike EventSource it can carry a secret and say why it was refused. */
import { Refused, request } from "./client";

export interface Heard {
  event: string;
  data: string;
}

export type Link = "connecting" | "live" | "lost";

export interface Listener {
  heard(news: Heard): void;
  link(state: Link): void;
  refused(error: Refused): void;
}

const SILENCE = 40_000; // milliseconds; the server says something every fifteen seconds
const LONGEST = 10_000; // milliseconds between two tries

export async function* events(
  body: ReadableStream<Uint8Array>,
  alive: () => void = () => {},
): AsyncGenerator<Heard> {
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
        const heard = parsed(block);
        if (heard) yield heard;
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function parsed(block: string): Heard | null {
  const data: string[] = [];
  let event = "message";
  for (const line of block.split("\n")) {
    const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value!;
    if (name === "data") data.push(value!);
  }
  return data.length ? { event, data: data.join("\n") } : null;
}

/** Listens until it is told to stop, connecting again whenever the connection ends. `query` says from where. */
export function listen(
  path: string,
  query: () => Record<string, string | number | null>,
  to: Listener,
): () => void {
  let stopped = false;
  let current = new AbortController();
  let last = Date.now();
  let wake = (): void => {};

  async function once(): Promise<void> {
    current = new AbortController();
    last = Date.now();
    const response = await request(path, { query: query(), signal: current.signal });
    for await (const news of events(response.body!, () => (last = Date.now()))) {
      if (stopped) return;
      to.link("live");
      to.heard(news);
    }
  }

  async function run(): Promise<void> {
    for (let tries = 0; !stopped; tries++) {
      const began = Date.now();
      try {
        await once();
      } catch (error) {
        if (stopped) return;
        if (error instanceof Refused && !error.passing) return to.refused(error);
      }
      if (stopped) return;
      if (Date.now() - began > LONGEST) tries = 0;
      to.link("lost");
      await pause(Math.min(LONGEST, 400 * 2 ** tries) * (0.75 + Math.random() / 2));
      if (!stopped) to.link("connecting");
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

  /** After sleep or flight mode: what is silent is taken for dead, and nobody waits for the next try. */
  function look(): void {
    if (document.visibilityState === "hidden") return;
    if (Date.now() - last > SILENCE / 2) current.abort();
    wake();
  }

  /** Without a network a connection may seem to live for a long time. */
  const drop = (): void => current.abort();

  const watch = setInterval(() => Date.now() - last > SILENCE && drop(), 5000);
  window.addEventListener("offline", drop);
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  void run();
  return () => {
    stopped = true;
    clearInterval(watch);
    window.removeEventListener("offline", drop);
    window.removeEventListener("online", look);
    document.removeEventListener("visibilitychange", look);
    current.abort();
    wake();
  };
}
