// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkError, RefusalError, requestJson } from "../../api/client";
import { outbox } from "../../api/outbox.svelte";
import { retryNow } from "../../api/retry";
import type { Choice, DraftPreview } from "../../api/types";
import { settings } from "../../settings.svelte";
import { Draft } from "./draft.svelte";
import { makeTable } from "./fixtures";
import { RequestState } from "./requests.svelte";
import { TableSession } from "./session.svelte";

vi.mock("../../api/client", { spy: true });

const choice = (text: string, ends = false): Choice => ({ text, words: text, paths: [], ends });
const preview = (more: Partial<DraftPreview> = {}): DraftPreview =>
  ({
    version: 4,
    complete: false,
    choices: [choice("next")],
    view: "after",
    told: [],
    ...more,
  }) as DraftPreview;

let session: TableSession;
let requests: RequestState;
let draft: Draft;
let responses: unknown[] = [];
const send = vi.spyOn(outbox, "send");

beforeEach(() => {
  vi.clearAllMocks();
  settings.set("confirm", false);
  session = new TableSession("t", { received() {}, invalidated() {}, shown() {} });
  session.table = makeTable();
  session.version = session.draftable = 4;
  session.position = { view: "before", choices: [choice("a"), choice("b")], told: ["Before."] } as never;
  requests = new RequestState({ started() {}, outdated() {} });
  draft = new Draft(session, requests);
  responses = [];
  vi.mocked(requestJson).mockImplementation(() => {
    const response = responses.shift();
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  });
  send.mockResolvedValue({ table: "t" });
});

test("a choice is previewed: the draft shows where it leads and what comes next", async () => {
  responses = [preview()];
  await draft.choose("a");
  expect(requestJson).toHaveBeenCalledExactlyOnceWith(
    "tables/t/preview",
    expect.objectContaining({ body: { seat: 0, version: 4, draft: ["a"] } }),
  );
  expect(draft.actions).toEqual(["a"]);
  expect(draft.view).toBe("after");
  expect(draft.choices.map(({ text }) => text)).toEqual(["next"]);
  expect(send).not.toHaveBeenCalled();
});

test("a turn that is complete is played", async () => {
  responses = [preview(), preview({ complete: true })];
  await draft.choose("a");
  await draft.choose("next");
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/actions", {
    seat: 0,
    version: 4,
    draft: ["a", "next"],
  });
});

test("a turn that is to be confirmed waits", async () => {
  settings.set("confirm", true);
  responses = [preview({ complete: true })];
  await draft.choose("a");
  expect(send).not.toHaveBeenCalled();
  expect(draft.complete).toBe(true);
  await draft.play();
  expect(send).toHaveBeenCalledOnce();
});

test("a choice that ends the turn is played without a preview: one request", async () => {
  session.position = { view: "before", choices: [choice("a", true)], told: [] } as never;
  await draft.choose("a");
  expect(requestJson).not.toHaveBeenCalled();
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/actions", { seat: 0, version: 4, draft: ["a"] });
});

test("a later choice that ends the turn is sent with the draft before it", async () => {
  responses = [preview({ choices: [choice("stop", true)] })];
  await draft.choose("a");
  await draft.choose("stop");
  expect(requestJson).toHaveBeenCalledOnce();
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/actions", {
    seat: 0,
    version: 4,
    draft: ["a", "stop"],
  });
});

test("after a turn was sent, nothing can be chosen until the update arrives", async () => {
  session.position = { view: "before", choices: [choice("a", true)], told: [] } as never;
  draft.narrow(draft.choices);
  await draft.choose("a");
  expect(draft.choices).toEqual([]);
  expect(draft.narrowed).toBeNull();
  expect(draft.complete).toBe(true);
  draft.clear();
  expect(draft.choices).toHaveLength(1);
  expect(draft.complete).toBe(false);
});

test("a choice that ends the turn is previewed if the person wants to confirm", async () => {
  settings.set("confirm", true);
  session.position = { view: "before", choices: [choice("a", true)], told: [] } as never;
  responses = [preview({ complete: true })];
  await draft.choose("a");
  expect(send).not.toHaveBeenCalled();
  expect(draft.complete).toBe(true);
});

test("if a turn sent without a preview is refused, everything is as before", async () => {
  session.position = { view: "before", choices: [choice("a", true)], told: [] } as never;
  draft.narrow(draft.choices);
  send.mockRejectedValue(
    new RefusalError({ code: "illegal", message: "No.", rule: null } as never, 409, null),
  );
  await draft.choose("a");
  expect(requests.notice?.words).toBe("No.");
  expect(draft.actions).toEqual([]);
  expect(draft.choices).toHaveLength(1);
  expect(draft.narrowed).toHaveLength(1);
});

test("a refused choice changes nothing", async () => {
  draft.narrow([choice("a")]);
  responses = [new RefusalError({ code: "illegal", message: "No.", rule: "R3" } as never, 409, null)];
  await draft.choose("x");
  expect(draft.actions).toEqual([]);
  expect(draft.narrowed).toHaveLength(1);
  expect(requests.notice).toEqual({ words: "No.", rule: "R3" });
});

test("a choice made without a connection waits for it, and a complete turn is then played by itself", async () => {
  responses = [new NetworkError(), new NetworkError(), preview({ complete: true })];
  const chosen = draft.choose("a");
  await vi.waitFor(() => expect(draft.waiting).toBe(true));
  retryNow();
  await vi.waitFor(() => expect(requestJson).toHaveBeenCalledTimes(2));
  retryNow();
  await chosen;
  expect(draft.waiting).toBe(false);
  expect(requests.notice).toBeNull();
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/actions", { seat: 0, version: 4, draft: ["a"] });
});

test.each(["taken back", "overtaken by an update"])("a choice that waits can be %s", async (how) => {
  responses = [new NetworkError(), preview({ complete: true })];
  const chosen = draft.choose("a");
  await vi.waitFor(() => expect(draft.waiting).toBe(true));
  if (how === "taken back") await draft.takeBack();
  else draft.clear();
  await chosen;
  retryNow();
  expect([draft.waiting, requests.busy, requests.notice, draft.actions]).toEqual([false, false, null, []]);
  expect(requestJson).toHaveBeenCalledOnce();
  expect(send).not.toHaveBeenCalled();
});

test("a preview of an older version is ignored", async () => {
  responses = [preview({ version: 3 })];
  await draft.choose("a");
  expect(draft.actions).toEqual([]);
  expect(draft.preview).toBeNull();
});

test("nothing is chosen while a request is under way", async () => {
  requests.busy = true;
  await draft.choose("a");
  await draft.takeBack();
  expect(requestJson).not.toHaveBeenCalled();
});

test("taking back removes the last action; the first one needs no request", async () => {
  responses = [preview(), preview(), preview()];
  await draft.choose("a");
  await draft.choose("next");
  await draft.takeBack();
  expect(draft.actions).toEqual(["a"]);
  await draft.takeBack();
  expect(draft.actions).toEqual([]);
  expect(draft.view).toBe("before");
  expect(requestJson).toHaveBeenCalledTimes(3);
});

test("narrowing to nothing means all choices", () => {
  draft.narrow([choice("a")]);
  expect(draft.narrowed).toHaveLength(1);
  draft.narrow([]);
  expect(draft.narrowed).toBeNull();
});

test("a hint belongs to its version", async () => {
  responses = [{ version: 3, text: "a" }];
  await draft.loadHint();
  expect(draft.hint).toBeNull();
  responses = [{ version: 4, text: "a" }];
  await draft.loadHint();
  expect(draft.hint?.text).toBe("a");
});

test("a hint that the table was told of is newer than what is shown", async () => {
  responses = [{ version: 5, text: "a" }];
  await draft.loadHint();
  expect(draft.hint?.text).toBe("a");
});

test("a preview on demand changes nothing", async () => {
  responses = [preview()];
  expect((await draft.loadPreview(["a"])).view).toBe("after");
  expect(draft.actions).toEqual([]);
  expect(draft.view).toBe("before");
});
