// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import dutch from "../locales/nl.json";
import english from "../locales/en.json";
import { storage } from "../storage";
import { locale, say } from "./catalogue.svelte";

const answers = vi.fn<(url: string, asked: RequestInit) => Promise<Response>>();

/** A request that is never answered, but can be given up. */
const hangs = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(new Error("given up"))));
const arrives = (): Promise<Response> => Promise.resolve(Response.json(dutch));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answers);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return controller.signal;
  });
});

afterEach(async () => {
  await locale.load("en");
  answers.mockReset();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("speaks English without asking for anything", async () => {
  await locale.load("en");
  expect(say("again")).toBe(english.again);
  expect(answers).not.toHaveBeenCalled();
});

it("keeps the words it has while others do not arrive, and tries again by itself", async () => {
  answers
    .mockImplementationOnce(hangs)
    .mockRejectedValueOnce(new TypeError("away"))
    .mockImplementation(arrives);
  const spoken = locale.choose("nl");
  expect(storage.load("language")).toBe("nl");
  await vi.advanceTimersByTimeAsync(2999);
  expect(locale.missing).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  await spoken;
  expect([locale.missing, locale.language, say("again")]).toEqual(["nl", "en", english.again]);
  await vi.advanceTimersByTimeAsync(3000 + 6000);
  expect([locale.missing, locale.language, say("again")]).toEqual([null, "nl", dutch.again]);
  expect(answers).toHaveBeenCalledTimes(3);
});

it("forgets a language that did not arrive when another one is chosen", async () => {
  answers.mockImplementation(hangs);
  const spoken = locale.load("nl");
  await locale.load("en");
  await vi.advanceTimersByTimeAsync(60_000);
  await spoken;
  expect([locale.missing, locale.language]).toEqual([null, "en"]);
  expect(answers).toHaveBeenCalledTimes(1);
});

it("looks for a newer page when the file is gone", async () => {
  const renew = vi.fn();
  window.addEventListener("vite:preloadError", renew, { once: true });
  answers.mockResolvedValue(new Response("", { status: 404 }));
  await locale.load("nl");
  expect(renew).toHaveBeenCalledOnce();
  expect(locale.missing).toBe("nl");
});
