// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Sent {
  path: string;
  key: string;
  body: Record<string, unknown>;
}

let sent: Sent[] = [];
let responses: (() => Response | Promise<Response>)[] = [];

const accept = (): Response => Response.json({ table: "t" });
const fail = (): Promise<Response> => Promise.reject(new TypeError("connection refused"));
const refuse =
  (status: number, code: string, headers: HeadersInit = {}) =>
  (): Response =>
    Response.json({ code, message: "No." }, { status, headers });

/** The outbox of a page that has just been loaded; the browser's storage is still there. */
async function openPage(): Promise<(typeof import("./outbox.svelte"))["outbox"]> {
  vi.resetModules();
  return (await import("./outbox.svelte")).outbox;
}

const stored = (): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith("spieltisch.outbox."));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  [sent, responses] = [[], []];
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => {
    const json = JSON.parse(body) as Record<string, unknown>;
    sent.push({ path: new URL(address, "http://here").pathname, key: json.key as string, body: json });
    return (responses.shift() ?? accept)();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a command is sent once and removed after the response", async () => {
  const outbox = await openPage();
  const done = outbox.send("tables/t/actions", { seat: 0 });
  expect(stored()).toHaveLength(1);
  expect(await done).toEqual({ table: "t" });
  expect(sent.map(({ path }) => path)).toEqual(["/api/tables/t/actions"]);
  expect(sent[0]!.body).toMatchObject({ seat: 0 });
  expect(stored()).toEqual([]);
});

test("every command has its own idempotency key", async () => {
  const outbox = await openPage();
  await outbox.send("tables/t/start");
  await outbox.send("tables/t/start");
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
});

test("if the server is down, the command is retried with the same key", async () => {
  responses = [fail, fail, accept];
  const outbox = await openPage();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(100);
  expect(outbox.retrying).toBe(1);
  expect(stored()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5000);
  await done;
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(outbox.retrying).toBe(0);
  expect(stored()).toEqual([]);
});

test("a busy server says when to retry", async () => {
  responses = [refuse(503, "busy", { "retry-after": "7" }), accept];
  const outbox = await openPage();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(6900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await done;
  expect(sent).toHaveLength(2);
});

test("the retry starts as soon as the network is back", async () => {
  responses = [fail, accept];
  const outbox = await openPage();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  window.dispatchEvent(new Event("online"));
  await done;
  expect(sent).toHaveLength(2);
});

test("a refusal is a response and is not retried", async () => {
  responses = [refuse(409, "stale")];
  const outbox = await openPage();
  await expect(outbox.send("tables/t/actions")).rejects.toMatchObject({ code: "stale" });
  expect(sent).toHaveLength(1);
  expect(stored()).toEqual([]);
});

test("a command without a response is sent again after a reload, with the same key", async () => {
  responses = [fail];
  void (await openPage()).send("tables/t/actions", { seat: 1 });
  await vi.advanceTimersByTimeAsync(10);
  vi.clearAllTimers();
  const outbox = await openPage();
  outbox.resume("other", () => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toHaveLength(1);
  outbox.resume("t", () => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(stored()).toEqual([]);
});

test("a refusal after a reload is reported", async () => {
  responses = [fail, refuse(409, "stale")];
  void (await openPage()).send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  vi.clearAllTimers();
  const codes: string[] = [];
  (await openPage()).resume("t", ({ code }) => codes.push(code));
  await vi.advanceTimersByTimeAsync(10);
  expect(codes).toEqual(["stale"]);
  expect(stored()).toEqual([]);
});

test("a command that is being delivered is not delivered a second time by the page of its table", async () => {
  responses = [fail, accept];
  const outbox = await openPage();
  void outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  outbox.resume("t", () => {});
  expect(outbox.retrying).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toHaveLength(2);
  expect(stored()).toEqual([]);
});

test("two pages of one browser keep each other's commands", async () => {
  responses = [fail, fail];
  void (await openPage()).send("tables/t/actions");
  void (await openPage()).send("tables/u/actions");
  await vi.advanceTimersByTimeAsync(10);
  expect(stored()).toHaveLength(2);
  vi.clearAllTimers();
});

test("any page delivers what an earlier one could not; a refusal is said by the page of the table", async () => {
  responses = [fail];
  void (await openPage()).send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  vi.clearAllTimers();
  responses = [refuse(409, "stale")];
  (await openPage()).resumeAll();
  await vi.advanceTimersByTimeAsync(10);
  expect(stored()).toHaveLength(1);
  responses = [refuse(409, "stale")];
  const codes: string[] = [];
  (await openPage()).resume("t", ({ code }) => codes.push(code));
  await vi.advanceTimersByTimeAsync(10);
  expect(codes).toEqual(["stale"]);
  expect(stored()).toEqual([]);
});

test("a request that hangs counts as lost and is sent again with the same key", async () => {
  const outbox = await openPage();
  const hangs = vi.fn((_: string, { signal }: RequestInit) => {
    return new Promise<Response>((_resolve, reject) =>
      signal!.addEventListener("abort", () => reject(new Error("given up"))),
    );
  });
  const answers = fetch;
  vi.stubGlobal("fetch", hangs);
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(19_000);
  expect(outbox.retrying).toBe(0);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(outbox.retrying).toBe(1);
  vi.stubGlobal("fetch", answers);
  await vi.advanceTimersByTimeAsync(2_000);
  await done;
  const first = JSON.parse(hangs.mock.calls[0]![1].body as string) as { key: string };
  expect(sent.map(({ key }) => key)).toEqual([first.key]);
});
