import { expect, test } from "vitest";
import { parseEvents, type ServerSentEvent } from "./stream";

function stream(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });
}

async function parse(...chunks: (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  for await (const one of parseEvents(stream(...chunks))) found.push(one);
  return found;
}

test("an event has a name and data", async () => {
  expect(await parse("event: table\ndata: {}\n\n")).toEqual([{ event: "table", data: "{}" }]);
});

test("an event without a name is a message", async () => {
  expect(await parse("data: hello\n\n")).toEqual([{ event: "message", data: "hello" }]);
});

test("several events come in one chunk", async () => {
  const found = await parse("event: here\ndata: 1\n\nevent: clock\ndata: 2\n\n");
  expect(found).toEqual([
    { event: "here", data: "1" },
    { event: "clock", data: "2" },
  ]);
});

test("one event comes in several chunks, split anywhere", async () => {
  const whole = "id: 7\nevent: happened\ndata: Größe\n\n";
  const bytes = new TextEncoder().encode(whole);
  for (let at = 1; at < bytes.length; at++)
    expect(await parse(bytes.slice(0, at), bytes.slice(at))).toEqual([{ event: "happened", data: "Größe" }]);
});

test("comments show that the connection is alive and are not events", async () => {
  let alive = 0;
  const found: ServerSentEvent[] = [];
  for await (const one of parseEvents(
    stream(": still here\n\n", ": and here\n\n", "data: x\n\n"),
    () => alive++,
  ))
    found.push(one);
  expect(found).toEqual([{ event: "message", data: "x" }]);
  expect(alive).toBe(3);
});

test("lines of data are joined, and colons within them stay", async () => {
  expect(await parse('data: {"a":\ndata: "b: c"}\n\n')).toEqual([
    { event: "message", data: '{"a":\n"b: c"}' },
  ]);
});

test("an event that was cut off is dropped", async () => {
  expect(await parse("data: whole\n\n", "data: half")).toEqual([{ event: "message", data: "whole" }]);
});

test("leaving the loop closes the connection", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
    cancel: () => void (cancelled = true),
  });
  for await (const one of parseEvents(endless)) {
    expect(one.data).toBe("x");
    break;
  }
  await new Promise((resolve) => setTimeout(resolve));
  expect(cancelled).toBe(true);
});
