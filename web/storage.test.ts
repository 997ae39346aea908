import { afterEach, beforeEach, expect, test, vi } from "vitest";

async function memory(): Promise<typeof import("./storage")> {
  vi.resetModules();
  return import("./storage");
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test("what is remembered outlives the page", async () => {
  const before = await memory();
  before.remember("name", { said: "Änne" });
  const after = await memory();
  expect(after.lasting).toBe(true);
  expect(after.recall("name")).toEqual({ said: "Änne" });
});

test("what was never remembered, or is forgotten, is nothing", async () => {
  const { forget, recall, remember } = await memory();
  expect(recall("name")).toBeNull();
  remember("name", 1);
  forget("name");
  expect(recall("name")).toBeNull();
});

test("what cannot be read is nothing", async () => {
  localStorage.setItem("spieltisch.name", "{half");
  expect((await memory()).recall("name")).toBeNull();
});

test("where storage is blocked, everything lasts as long as the page", async () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  const { forget, lasting, recall, remember } = await memory();
  expect(lasting).toBe(false);
  remember("name", "Ada");
  expect(recall("name")).toBe("Ada");
  forget("name");
  expect(recall("name")).toBeNull();
  expect((await memory()).recall("name")).toBeNull();
});

/** A storage that can be full. */
function fill(): { full: boolean } {
  const state = { full: false };
  const kept = new Map<string, string>();
  vi.spyOn(window, "localStorage", "get").mockReturnValue({
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
    setItem(name: string, text: string) {
      if (state.full) throw new DOMException("full", "QuotaExceededError");
      kept.set(name, text);
    },
  } as unknown as Storage);
  return state;
}

test("where storage is full, the newest is still known on this page", async () => {
  const state = fill();
  const { recall, remember } = await memory();
  remember("name", "old");
  state.full = true;
  remember("name", "new");
  expect(recall("name")).toBe("new");
});

test("when there is room again, the newest lasts", async () => {
  const state = fill();
  const { recall, remember } = await memory();
  state.full = true;
  remember("name", "first");
  state.full = false;
  remember("name", "second");
  expect(recall("name")).toBe("second");
  expect((await memory()).recall("name")).toBe("second");
});
