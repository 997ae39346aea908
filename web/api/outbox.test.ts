import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Sent {
  path: string;
  key: string;
  body: Record<string, unknown>;
}

let sent: Sent[] = [];
let answers: (() => Response | Promise<Response>)[] = [];

const yes = (): Response => Response.json({ table: "t" });
const away = (): Promise<Response> => Promise.reject(new TypeError("nobody there"));
const no =
  (status: number, code: string, headers: HeadersInit = {}) =>
  (): Response =>
    Response.json({ code, message: "No." }, { status, headers });

/** A page that has just been loaded; what the browser keeps is still there. */
async function page(): Promise<(typeof import("./outbox.svelte"))["outbox"]> {
  vi.resetModules();
  return (await import("./outbox.svelte")).outbox;
}

const kept = (): unknown[] => JSON.parse(localStorage.getItem("spieltisch.outbox") ?? "[]") as unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  [sent, answers] = [[], []];
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => {
    const told = JSON.parse(body) as Record<string, unknown>;
    sent.push({ path: new URL(address, "http://here").pathname, key: told.key as string, body: told });
    return (answers.shift() ?? yes)();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a command is sent once and forgotten when it is answered", async () => {
  const outbox = await page();
  const done = outbox.send("tables/t/actions", { seat: 0 });
  expect(kept()).toHaveLength(1);
  expect(await done).toEqual({ table: "t" });
  expect(sent.map(({ path }) => path)).toEqual(["/api/tables/t/actions"]);
  expect(sent[0]!.body).toMatchObject({ seat: 0 });
  expect(kept()).toEqual([]);
});

test("every command has a key of its own", async () => {
  const outbox = await page();
  await outbox.send("tables/t/start");
  await outbox.send("tables/t/start");
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
});

test("a server that is away is asked again, with the same key", async () => {
  answers = [away, away, yes];
  const outbox = await page();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(100);
  expect(outbox.waiting).toBe(1);
  expect(kept()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5000);
  await done;
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(outbox.waiting).toBe(0);
  expect(kept()).toEqual([]);
});

test("a server that is busy says when to come again", async () => {
  answers = [no(503, "busy", { "retry-after": "7" }), yes];
  const outbox = await page();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(6900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await done;
  expect(sent).toHaveLength(2);
});

test("the network that comes back is waited for no longer", async () => {
  answers = [away, yes];
  const outbox = await page();
  const done = outbox.send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  window.dispatchEvent(new Event("online"));
  await done;
  expect(sent).toHaveLength(2);
});

test("a refusal is an answer", async () => {
  answers = [no(409, "stale")];
  const outbox = await page();
  await expect(outbox.send("tables/t/actions")).rejects.toMatchObject({ code: "stale" });
  expect(sent).toHaveLength(1);
  expect(kept()).toEqual([]);
});

test("what was not answered before a reload is sent after it, with the same key", async () => {
  answers = [away];
  void (await page()).send("tables/t/actions", { seat: 1 });
  await vi.advanceTimersByTimeAsync(10);
  vi.clearAllTimers();
  const outbox = await page();
  outbox.resume("other", () => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toHaveLength(1);
  outbox.resume("t", () => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(kept()).toEqual([]);
});

test("what is refused after a reload is told", async () => {
  answers = [away, no(409, "stale")];
  void (await page()).send("tables/t/actions");
  await vi.advanceTimersByTimeAsync(10);
  vi.clearAllTimers();
  const codes: string[] = [];
  (await page()).resume("t", ({ code }) => codes.push(code));
  await vi.advanceTimersByTimeAsync(10);
  expect(codes).toEqual(["stale"]);
  expect(kept()).toEqual([]);
});
