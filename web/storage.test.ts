// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The storage of a page that has just been loaded. */
async function openPage(): Promise<(typeof import("./storage"))["storage"]> {
  vi.resetModules();
  return (await import("./storage")).storage;
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test("saved values outlive the page", async () => {
  const before = await openPage();
  before.save("name", { said: "Änne" });
  const after = await openPage();
  expect(after.persistent).toBe(true);
  expect(after.load("name")).toEqual({ said: "Änne" });
});

test("a key that was never saved, or was removed, has no value", async () => {
  const storage = await openPage();
  expect(storage.load("name")).toBeNull();
  storage.save("name", 1);
  storage.remove("name");
  expect(storage.load("name")).toBeNull();
});

test("text that is not JSON has no value", async () => {
  localStorage.setItem("spieltisch.name", "{half");
  expect((await openPage()).load("name")).toBeNull();
});

test("if storage is blocked, values last as long as the page", async () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  const storage = await openPage();
  expect(storage.persistent).toBe(false);
  storage.save("name", "Ada");
  expect(storage.load("name")).toBe("Ada");
  storage.remove("name");
  expect(storage.load("name")).toBeNull();
  expect((await openPage()).load("name")).toBeNull();
});

/** A browser storage that can be full. */
function fill(): { full: boolean } {
  const state = { full: false };
  const values = new Map<string, string>();
  vi.spyOn(window, "localStorage", "get").mockReturnValue({
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => void values.delete(key),
    setItem(key: string, text: string) {
      if (state.full) throw new DOMException("full", "QuotaExceededError");
      values.set(key, text);
    },
  } as unknown as Storage);
  return state;
}

test("if storage is full, the page still has the newest value", async () => {
  const state = fill();
  const storage = await openPage();
  storage.save("name", "old");
  state.full = true;
  storage.save("name", "new");
  expect(storage.load("name")).toBe("new");
});

test("if there is room again, the newest value outlives the page", async () => {
  const state = fill();
  const storage = await openPage();
  state.full = true;
  storage.save("name", "first");
  state.full = false;
  storage.save("name", "second");
  expect(storage.load("name")).toBe("second");
  expect((await openPage()).load("name")).toBe("second");
});
