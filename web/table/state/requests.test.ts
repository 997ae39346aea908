// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { NetworkError, RefusalError } from "../../api/client";
import { locale } from "../../i18n/catalogue.svelte";
import { RequestState } from "./requests.svelte";

const hooks = { started: vi.fn(), outdated: vi.fn() };
const refusal = (code: string, rule: string | null = null): RefusalError =>
  new RefusalError({ code, message: "No.", rule } as RefusalError["refusal"], 409, null);
let requests: RequestState;

beforeAll(() => locale.load("en"));
beforeEach(() => {
  vi.clearAllMocks();
  requests = new RequestState(hooks);
});

test("a request is busy until it ends, and returns its result", async () => {
  const running = requests.run(() => Promise.resolve(7));
  expect(requests.busy).toBe(true);
  expect(hooks.started).toHaveBeenCalledOnce();
  expect(await running).toBe(7);
  expect(requests.busy).toBe(false);
});

test("a refusal becomes a notice with its rule", async () => {
  expect(await requests.run(() => Promise.reject(refusal("illegal", "R7")))).toBeNull();
  expect(requests.notice).toEqual({ words: "No.", rule: "R7" });
  expect(requests.busy).toBe(false);
  expect(hooks.outdated).not.toHaveBeenCalled();
});

test("the next request removes the notice", async () => {
  await requests.run(() => Promise.reject(refusal("illegal")));
  await requests.run(() => Promise.resolve());
  expect(requests.notice).toBeNull();
});

test.each(["stale", "not-pending"])("a refusal as %s says that the table has moved on", async (code) => {
  await requests.run(() => Promise.reject(refusal(code)));
  expect(hooks.outdated).toHaveBeenCalledOnce();
});

test("a lost connection becomes a notice", async () => {
  await requests.run(() => Promise.reject(new NetworkError()));
  expect(requests.notice?.words).toMatch(/\w/);
  expect(requests.notice?.rule).toBeNull();
});

test("any other error is not hidden", async () => {
  await expect(requests.run(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  expect(requests.busy).toBe(false);
});
