import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadPart } from "../games/parts";
import { listDraws, recompute, type Draw } from "./draws";
import { hashHex } from "./nonces";
import { parseRecord } from "./record";
import { FairSource } from "./source";

function vectors<T>(name: string): T[] {
  return JSON.parse(readFileSync(`tests/gameplay/vectors/${name}.json`, "utf8")) as T[];
}

interface PickVector {
  about: string;
  secret: string;
  commit: string;
  nonces: string[];
  game: number;
  first: number;
  weights: number[];
  picks: number[];
}

test.each(vectors<PickVector>("fair_chance"))(
  "the source gives the picks of the vector: $about",
  (vector) => {
    expect(hashHex(vector.secret)).toBe(vector.commit);
    const source = new FairSource(vector.secret, vector.nonces, vector.game);
    expect(vector.picks.map((_, number) => source.pick(number, vector.weights))).toEqual(vector.picks);
    expect(source.first(vector.nonces.length)).toBe(vector.first);
  },
);

const records = vectors<{ game: string; record: string; draws: Draw[] }>("fair_records");

async function load(record: string): Promise<Parameters<typeof recompute>> {
  const [game] = parseRecord(record);
  const { chance } = (await loadPart(game!.game, "chance"))!;
  return [game!, 0, game!.secret!, chance];
}

test.each(records)("$game says what chance could draw, as its rules do", async ({ record, draws }) => {
  const [game, , , model] = await load(record);
  expect(listDraws(game, model)).toMatchObject(draws);
  expect(listDraws(game, model)).toHaveLength(draws.length);
});

test.each(records)("every draw of a game of $game is recomputed", async ({ record, draws }) => {
  expect(recompute(...(await load(record)))).toEqual({ draws: draws.length, wrongDraw: null, starter: true });
});

test.each(records)("another draw in a game of $game is found by its number", async ({ record }) => {
  const [game, index, secret, model] = await load(record);
  const draws = listDraws(game, model);
  const number = Math.floor(draws.length / 2);
  const { texts, drawn, entry } = draws[number]!;
  const entries = [...game.entries];
  entries[entry] = { seat: null, text: texts.find((text) => text !== drawn)! };
  expect(recompute({ ...game, entries }, index, secret, model).wrongDraw).toBe(number);
});

test.each(records)("another secret is found in a game of $game", async ({ record }) => {
  const [game, index, , model] = await load(record);
  expect(recompute(game, index, "ab".repeat(32), model).wrongDraw).toBeLessThan(10);
});

test("a starting seat that was not drawn is found, unless it was agreed on", async () => {
  const [game, index, secret, model] = await load(records[0]!.record);
  const other = { ...game, first: (game.first + 1) % game.players };
  expect(recompute(other, index, secret, model).starter).toBe(false);
  expect(recompute({ ...other, drawn: false }, index, secret, model).starter).toBeNull();
});

test("a piece that is not in the bag is found even if nothing else could be drawn", async () => {
  const [game, , , model] = await load(records[0]!.record);
  const chance = model(game, [], "")!;
  const all = chance.texts.flatMap((text, at) =>
    Array.from({ length: chance.weights[at]! }, () => ({ seat: null, text })),
  );
  const empty = { ...game, entries: [...all.slice(0, -1), all[0]!] };
  expect(listDraws(empty, model).at(-1)).toMatchObject({ texts: [all.at(-1)!.text], drawn: all[0]!.text });
});

test("a record of several games is read game by game, with documents and silent seats", () => {
  const document = "0".repeat(64);
  const text = [
    "format    spieltisch 1 ; a comment",
    "match     2",
    "game      one",
    "edition   standard",
    "players   2",
    "first     1",
    "drawn     first",
    `option    bag ${document}`,
    "option    piles open",
    `data      ${document} {"R": 1}`,
    "seat 0    Ada ; not a name",
    `commit    ${"1".repeat(64)}`,
    `nonce 1   ${"a".repeat(32)}`,
    "* R",
    "1 fall 3",
    "undo      2",
    "",
    "game      one",
    "players   2",
    "first     0",
    "* B",
  ].join("\n");
  const [first, second] = parseRecord(text);
  expect(first).toEqual({
    game: "one",
    edition: "standard",
    players: 2,
    first: 1,
    drawn: true,
    options: { bag: '{"R": 1}', piles: "open" },
    commit: "1".repeat(64),
    nonces: ["", "a".repeat(32)],
    secret: null,
    entries: [{ seat: null, text: "R" }, { seat: 1, text: "fall 3" }, { undone: 2 }],
  });
  expect(second).toMatchObject({
    first: 0,
    drawn: false,
    nonces: ["", ""],
    entries: [{ seat: null, text: "B" }],
  });
});
