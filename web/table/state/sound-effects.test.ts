import { beforeEach, expect, test } from "vitest";
import type { EventView, Position, TableView } from "../../api/types";
import type { Sound } from "../../sound/synthesizer";
import { makeMove, makeSeat, makeTable } from "./fixtures";
import { SoundEffects } from "./sound-effects";

let heard: { sound: Sound; delay: number }[];
let effects: SoundEffects;
const names = (): Sound[] => heard.map(({ sound }) => sound);

beforeEach(async () => {
  heard = [];
  effects = new SoundEffects(
    (sound, delay = 0) => heard.push({ sound, delay }),
    () => Promise.resolve(({ kind, text }) => (kind === "draw" ? "dice" : text === "a" ? "disc" : null)),
  );
  show();
  await Promise.resolve();
  heard = [];
});

function show(
  fresh: EventView[] = [],
  {
    table = {},
    myTurn = false,
    ranks,
  }: { table?: Partial<TableView>; myTurn?: boolean; ranks?: number[] } = {},
): void {
  const position = { outcome: ranks ? { ranks, scores: [], ending: "" } : null } as unknown as Position;
  effects.shown(makeTable(table), position, fresh, myTurn);
}

test("the move of somebody else is heard as its game says", () => {
  show([makeMove(2, 1)]);
  expect(names()).toEqual(["disc"]);
});

test("one's own action is heard when it is chosen, and not again when it is confirmed", () => {
  effects.chosen("a");
  show([makeMove(2, 0)]);
  expect(names()).toEqual(["disc"]);
});

test("a bot that plays for oneself is heard", () => {
  show([makeMove(2, 0)], { table: { seats: [makeSeat({ you: true, player: "level:3" }), makeSeat()] } });
  expect(names()).toEqual(["disc"]);
});

test("of several events at once only the last is heard", () => {
  show([makeMove(2, 1), { ...makeMove(3, 0), kind: "draw", seat: null }, { ...makeMove(4, 1), text: "b" }]);
  expect(names()).toEqual(["dice"]);
});

test("one's turn is announced once, after the move that led to it", () => {
  show([makeMove(2, 1)], { myTurn: true });
  expect(names()).toEqual(["disc", "turn"]);
  expect(heard[1]!.delay).toBeGreaterThan(0);
  show([], { myTurn: true });
  expect(names()).toEqual(["disc", "turn"]);
  show([makeMove(3, 0)]);
  show([], { myTurn: true });
  expect(names()).toEqual(["disc", "turn", "turn"]);
});

test("winning is heard by who wins, and not again when the page of a finished game is opened", () => {
  show([makeMove(2, 0)], { table: { status: "over", turn: null }, ranks: [1, 2] });
  expect(names()).toEqual(["win"]);
  show([], { table: { status: "over", turn: null }, ranks: [1, 2] });
  expect(names()).toEqual(["win"]);
});

test("losing and watching are silent", () => {
  show([{ ...makeMove(2, 0), text: "b" }], { table: { status: "over" }, ranks: [2, 1] });
  show([], { table: { status: "playing" } });
  show([{ ...makeMove(3, 0), text: "b" }], { table: { status: "over", you: [] }, ranks: [1, 2] });
  expect(names()).toEqual([]);
});

test("a game without sounds, or whose sounds do not load, is silent", async () => {
  for (const load of [() => Promise.resolve(null), () => Promise.reject(new Error("offline"))]) {
    effects = new SoundEffects((sound) => heard.push({ sound, delay: 0 }), load);
    show();
    await Promise.resolve();
    show([makeMove(2, 1)]);
  }
  expect(names()).toEqual([]);
});
