import { beforeEach, expect, test, vi } from "vitest";
import type { TableCommands } from "./commands";
import { makeSeat, makeTable } from "./fixtures";
import { RematchReturn } from "./rematch";

const commands = { requests: { busy: false }, join: vi.fn(), start: vi.fn() };
let rematch: RematchReturn;

const mine = makeSeat({ you: true });
const reserved = makeSeat({ you: true, kept: true });
const gathering = (seats: ReturnType<typeof makeSeat>[], host = true): ReturnType<typeof makeTable> =>
  makeTable({ status: "gathering", seats, host });

beforeEach(() => {
  vi.clearAllMocks();
  commands.requests.busy = false;
  rematch = new RematchReturn(commands as unknown as TableCommands);
});

test("a reserved seat is taken, under the name that it had", () => {
  rematch.update(gathering([makeSeat(), reserved]));
  expect(commands.join).toHaveBeenCalledExactlyOnceWith("Ada", 1);
});

test("the host starts as soon as everybody has returned", () => {
  rematch.update(gathering([reserved, makeSeat({ kept: true })]));
  rematch.update(gathering([mine, makeSeat({ kept: true })]));
  expect(commands.start).not.toHaveBeenCalled();
  rematch.update(gathering([mine, makeSeat()]));
  expect(commands.start).toHaveBeenCalledOnce();
  rematch.update(gathering([mine, makeSeat()]));
  expect(commands.start).toHaveBeenCalledOnce();
});

test("a guest does not start the match", () => {
  rematch.update(gathering([reserved, makeSeat()], false));
  rematch.update(gathering([mine, makeSeat()], false));
  expect(commands.start).not.toHaveBeenCalled();
});

test("a table that is no rematch is not started by itself", () => {
  rematch.update(gathering([mine, makeSeat()]));
  expect(commands.start).not.toHaveBeenCalled();
});

test("an open seat is waited for", () => {
  rematch.update(gathering([reserved, makeSeat({ kind: "open" })]));
  rematch.update(gathering([mine, makeSeat({ kind: "open" })]));
  expect(commands.start).not.toHaveBeenCalled();
});

test("nothing is done while a request is under way, or during a game", () => {
  commands.requests.busy = true;
  rematch.update(gathering([reserved]));
  commands.requests.busy = false;
  rematch.update(makeTable({ seats: [reserved] }));
  expect(commands.join).not.toHaveBeenCalled();
});
