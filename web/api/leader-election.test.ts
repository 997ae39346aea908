// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { joinElection } from "./leader-election";

/** A fake BroadcastChannel: a message reaches the other channels of the same name a moment later. */
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
  messages: unknown[] = [];
  readonly election;

  constructor(name: string) {
    this.election = joinElection(name, {
      lead: () => (this.role = "leads"),
      follow: () => (this.role = "follows"),
      message: (message) => this.messages.push(message),
    });
  }
}

const leaders = (...tabs: Tab[]): number => tabs.filter(({ role }) => role === "leads").length;

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

test("one of several tabs leads as long as they are open", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const others = [new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(60_000);
  expect(first.role).toBe("leads");
  expect(leaders(first, ...others)).toBe(1);
});

test("tabs that open at the same moment agree on one leader", () => {
  const tabs = [new Tab("table"), new Tab("table"), new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(20_000);
  expect(leaders(...tabs)).toBe(1);
});

test("when the leader closes, another tab leads soon", () => {
  const [first, second, third] = [new Tab("table"), new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(10_000);
  const leader = [first, second, third].find(({ role }) => role === "leads")!;
  const rest = [first, second, third].filter((tab) => tab !== leader);
  leader.election.leave();
  vi.advanceTimersByTime(3000);
  expect(leaders(...rest)).toBe(1);
});

test("when the leader falls silent, another tab leads after the timeout", () => {
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

test("a broadcast reaches every follower once, and not the leader itself", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const others = [new Tab("table"), new Tab("table")];
  vi.advanceTimersByTime(1000);
  first.election.broadcast("changed");
  vi.advanceTimersByTime(10);
  expect(others.map(({ messages }) => messages)).toEqual([["changed"], ["changed"]]);
  expect(first.messages).toEqual([]);
});

test("a follower cannot broadcast", () => {
  const first = new Tab("table");
  vi.advanceTimersByTime(1000);
  const second = new Tab("table");
  vi.advanceTimersByTime(1000);
  second.election.broadcast("changed");
  vi.advanceTimersByTime(10);
  expect(first.messages).toEqual([]);
});

test("elections of different names are independent", () => {
  const [one, other] = [new Tab("one"), new Tab("other")];
  vi.advanceTimersByTime(1000);
  expect(leaders(one, other)).toBe(2);
  one.election.broadcast("changed");
  vi.advanceTimersByTime(10);
  expect(other.messages).toEqual([]);
});

test("a tab that has left does not lead", () => {
  const tab = new Tab("table");
  tab.election.leave();
  vi.advanceTimersByTime(20_000);
  expect(tab.role).toBe("");
});

test("without channels every tab leads", () => {
  vi.unstubAllGlobals();
  vi.stubGlobal("BroadcastChannel", undefined);
  delete (window as unknown as Record<string, unknown>).BroadcastChannel;
  const tabs = [new Tab("table"), new Tab("table")];
  expect(leaders(...tabs)).toBe(2);
});
