// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { RefusalError, requestJson, startSession } from "../../api/client";
import { loadNonce } from "../../fairness/nonces";
import { outbox } from "../../api/outbox.svelte";
import { TableCommands } from "./commands";
import { makeTable } from "./fixtures";
import { RequestState } from "./requests.svelte";
import { TableSession } from "./session.svelte";

vi.mock("../../api/client", { spy: true });

const send = vi.spyOn(outbox, "send");
const refusal = new RefusalError({ code: "full", message: "Full.", rule: null } as never, 409, null);
let session: TableSession;
let commands: TableCommands;

beforeEach(() => {
  vi.clearAllMocks();
  session = new TableSession("t", { received() {}, invalidated() {}, shown() {} });
  session.table = makeTable({ viewer: 1 });
  session.version = 9;
  session.reload = vi.fn<TableSession["reload"]>();
  commands = new TableCommands(session, new RequestState({ started() {}, outdated() {} }), "code");
  send.mockResolvedValue({ table: "next" });
});

test("joining commits to a nonce and loads the table again", async () => {
  vi.mocked(startSession).mockResolvedValue({ table: "t" });
  expect(await commands.join("Ada", 1)).toBe(true);
  const [path, body] = vi.mocked(startSession).mock.lastCall as [string, Record<string, string>];
  expect(path).toBe("tables/t/join");
  expect(body).toMatchObject({ name: "Ada", seat: 1, code: "code" });
  expect(loadNonce(body.commit!)).not.toBeNull();
  expect(session.reload).toHaveBeenCalledOnce();
});

test("a refused join changes nothing", async () => {
  vi.mocked(startSession).mockRejectedValue(refusal);
  expect(await commands.join("Ada")).toBe(false);
  expect(session.reload).not.toHaveBeenCalled();
  expect(commands.requests.notice?.words).toBe("Full.");
});

test.each([
  ["start", () => commands.start(), {}],
  ["continue", () => commands.startNextGame(), {}],
  ["undo", () => commands.undo(), { seat: 1, version: 9 }],
  ["resign", () => commands.resign(), { seat: 1 }],
  ["leave", () => commands.leave(), { seat: 1 }],
  ["lend", () => commands.lendSeat(), { seat: 1 }],
  ["return", () => commands.takeSeatBack(), { seat: 1 }],
  ["stand-in", () => commands.proposeStandIn(0), { seat: 1, about: 0 }],
  ["answer", () => commands.vote(1, false), { seat: 1, version: 9, yes: false }],
  ["seats", () => commands.assignSeat(0, "level:2"), { seat: 0, player: "level:2" }],
])("%s is sent through the outbox", async (name, command, body) => {
  await command();
  expect(send).toHaveBeenCalledExactlyOnceWith(`tables/t/${name}`, body);
});

test("a rematch returns the name of the new table, or null", async () => {
  expect(await commands.rematch()).toBe("next");
  expect(send).toHaveBeenLastCalledWith("tables/t/rematch", {});
  expect(await commands.rematch("another")).toBe("next");
  expect(send).toHaveBeenLastCalledWith("tables/t/rematch", { game: "another" });
  send.mockRejectedValue(refusal);
  expect(await commands.rematch()).toBeNull();
});

test("removing says whether it succeeded", async () => {
  vi.mocked(requestJson).mockResolvedValue(undefined);
  expect(await commands.remove()).toBe(true);
  expect(requestJson).toHaveBeenLastCalledWith("tables/t", { method: "DELETE" });
  vi.mocked(requestJson).mockRejectedValue(refusal);
  expect(await commands.remove()).toBe(false);
});
