import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { share } from "./leader-election";

/** Channels of one browser: whatever one posts, the others of its name hear a moment later. */
class Channel {
  static all: Channel[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly name: string) {
    Channel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.all)
      if (other !== this && other.name === this.name) setTimeout(() => other.onmessage?.({ data }), 1);
  }
  close(): void {
    Channel.all = Channel.all.filter((other) => other !== this);
  }
}

class Tab {
  role = "";
  news: unknown[] = [];
  readonly shared;

  constructor(name: string) {
    this.shared = share(name, {
      lead: () => (this.role = "leads"),
      follow: () => (this.role = "follows"),
      news: (what) => this.news.push(what),
    });
  }
}

const roles = (...tabs: Tab[]): number => tabs.filter(({ role }) => role === "leads").length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("BroadcastChannel", Channel);
  Channel.all = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("one tab alone leads", () => {
  const tab = new Tab("table");
  expect(tab.role).toBe("");
  vi.advanceTimersByTime(1000);
  expect(tab.role).toBe("leads");
});

test("of several tabs one leads, for as long as they are there", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const others = [new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(60_000);
  expect(first.role).toBe("leads");
  expect(roles(first, ...others)).toBe(1);
});

test("tabs that are opened at the same moment agree on one", () => {
  const tabs = [new Tab("table"), new Tab("table"), new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(20_000);
  expect(roles(...tabs)).toBe(1);
});

test("when the one that leads is closed, another leads soon", () => {
  const [first, second, third] = [new Tab("table"), new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(10_000);
  const leader = [first, second, third].find(({ role }) => role === "leads")!;
  const rest = [first, second, third].filter((tab) => tab !== leader);
  leader.shared.leave();
  vi.advanceTimersByTime(3000);
  expect(roles(...rest)).toBe(1);
});

test("when the one that leads is gone without a word, another leads after a while", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const second = new Tab("table");
  vi.advanceTimersByTime(1000);
  Channel.all[0]!.postMessage = () => {}; // it has been frozen
  Channel.all[0]!.onmessage = null;
  vi.advanceTimersByTime(10_000);
  expect(first.role).toBe("leads");
  expect(second.role).toBe("leads");
});

test("news reach those that follow, once, and not the one that told them", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const others = [new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(1000);
  first.shared.tell("changed");
  vi.advanceTimersByTime(10);
  expect(others.map(({ news }) => news)).toEqual([["changed"], ["changed"]]);
  expect(first.news).toEqual([]);
});

test("who follows has nothing to tell", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const second = new Tab("table");
  vi.advanceTimersByTime(1000);
  second.shared.tell("changed");
  vi.advanceTimersByTime(10);
  expect(first.news).toEqual([]);
});

test("tabs at other tables are no concern", () => {
  const [one, other] = [new Tab("one"), new Tab("other")];
  vi.advanceTimersByTime(1000);
  expect(roles(one, other)).toBe(2);
  one.shared.tell("changed");
  vi.advanceTimersByTime(10);
  expect(other.news).toEqual([]);
});

test("who has left neither leads nor hears", () => {
  const tab = new Tab("table");
  tab.shared.leave();
  vi.advanceTimersByTime(20_000);
  expect(tab.role).toBe("");
});

test("without channels every tab leads", () => {
  vi.unstubAllGlobals();
  vi.stubGlobal("BroadcastChannel", undefined);
  delete (window as unknown as Record<string, unknown>).BroadcastChannel;
  const tabs = [new Tab("table"), new Tab("table")];
  expect(roles(...tabs)).toBe(2);
});
