// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RefusalError, requestJson } from "../../api/client";
import { settings } from "../../settings.svelte";
import { ReactionState } from "./reactions.svelte";

vi.mock("../../api/client", { spy: true });

let reactions: ReactionState;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.mocked(requestJson).mockResolvedValue(undefined);
  settings.set("reactions", true);
  reactions = new ReactionState("t");
});
afterEach(() => void vi.useRealTimers());

test("a reaction is shown at its seat for some seconds, the latest of a seat alone", () => {
  reactions.show({ seat: 1, reaction: "laugh" });
  reactions.show({ seat: 0, reaction: "wow" });
  vi.advanceTimersByTime(3000);
  reactions.show({ seat: 1, reaction: "heart" });
  expect([...reactions.shown]).toEqual([
    [1, "heart"],
    [0, "wow"],
  ]);
  vi.advanceTimersByTime(3000);
  expect([...reactions.shown]).toEqual([[1, "heart"]]);
  vi.advanceTimersByTime(3000);
  expect(reactions.shown.size).toBe(0);
});

test("muted or unknown reactions are not shown", () => {
  reactions.show({ seat: 1, reaction: "of a newer version" });
  settings.set("reactions", false);
  reactions.show({ seat: 1, reaction: "laugh" });
  expect(reactions.shown.size).toBe(0);
});

test("one reaction at a time is sent, and after a refusal none until the server takes it", async () => {
  await reactions.send(0, "bravo");
  await reactions.send(0, "bravo");
  expect(requestJson).toHaveBeenCalledExactlyOnceWith("tables/t/react", {
    body: { seat: 0, reaction: "bravo" },
  });
  vi.advanceTimersByTime(2000);
  vi.mocked(requestJson).mockRejectedValueOnce(
    new RefusalError({ code: "limit", message: "No." } as never, 429, "30"),
  );
  await reactions.send(0, "wow");
  vi.advanceTimersByTime(29_000);
  expect(reactions.ready).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(reactions.ready).toBe(true);
});
