import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import type { EventView } from "../api/types";
import { loadPart } from "../games/parts";
import { makeSeat, makeTable } from "../table/state/fixtures";
import type { KeptCommitments } from "./commitments";
import { hashHex } from "./nonces";
import { parseRecord, type RecordedGame } from "./record";
import { verifyFairness, worstLevel, type Evidence } from "./verification";

const [vector] = JSON.parse(readFileSync("tests/gameplay/vectors/fair_records.json", "utf8")) as [
  { game: string; record: string },
];
let game: RecordedGame;
let kept: KeptCommitments;
let evidence: Evidence;

/** The log as the table's events; of the rest there is nothing to see here. */
function eventsOf(game: RecordedGame): EventView[] {
  const begin = { number: 1, kind: "begin", game: 0, seat: null, text: "" };
  const played = game.entries.map((entry, at) =>
    "undone" in entry
      ? { number: at + 2, kind: "undo", game: 0, seat: null, text: `undo      ${entry.undone}` }
      : { number: at + 2, kind: entry.seat === null ? "draw" : "move", game: 0, ...entry },
  );
  return [begin, ...played] as EventView[];
}

const keys = (given: Partial<Evidence>): string[] =>
  verifyFairness({ ...evidence, ...given }).map(({ key }) => key);
const level = (given: Partial<Evidence>): string => worstLevel(verifyFairness({ ...evidence, ...given }));

beforeEach(async () => {
  game = parseRecord(vector.record)[0]!;
  const commitments = game.nonces.map((nonce) => (nonce ? hashHex(nonce) : null));
  const fair = {
    drawn: true,
    commits: [game.commit!],
    secrets: [game.secret],
    commitments,
    nonces: game.nonces.map((nonce) => nonce || null),
  };
  const seats = ["Ada", "Bot", "Cleo"].map((name) => makeSeat({ name }));
  kept = {
    commits: fair.commits,
    drawn: true,
    early: true,
    seats: commitments,
    own: { 0: game.nonces[0]! },
    changed: false,
  };
  evidence = {
    table: makeTable({ status: "over", game: game.game, players: 3, number: 0, seats, fair }),
    kept,
    record: [game],
    events: eventsOf(game),
    model: (await loadPart(game.game, "chance"))!.chance,
  };
});

test("with its own nonce and commitments from before, a browser proves everything", () => {
  expect(keys({})).toEqual(["fair.secret.kept", "fair.nonce.own", "fair.draws.starter", "fair.log"]);
  expect(level({})).toBe("proven");
});

test("a server that exchanges its secret is caught, though everything it sends fits together", () => {
  const secret = "ab".repeat(32);
  const other = { ...game, secret, commit: hashHex(secret) };
  const table = {
    ...evidence.table,
    fair: { ...evidence.table.fair, commits: [other.commit], secrets: [secret] },
  };
  expect(keys({ table, record: [other] })).toContain("fair.secret.wrong");
  expect(keys({ table, kept: { ...kept, changed: true } })).toContain("fair.changed");
});

test("a server that keeps its secret back is caught", () => {
  expect(keys({ record: [{ ...game, secret: null }] })).toEqual(["fair.secret.missing"]);
  expect(keys({ record: [] })).toEqual(["fair.secret.missing"]);
});

test("a server that uses another nonce than the announced one is caught", () => {
  const nonces = [game.nonces[0]!, "", "0b".repeat(16)];
  expect(verifyFairness({ ...evidence, record: [{ ...game, nonces }] })).toContainEqual({
    level: "wrong",
    key: "fair.nonce.other",
    given: { names: "Cleo" },
  });
  expect(keys({ record: [{ ...game, nonces: ["0c".repeat(16), "", game.nonces[2]!] }] })).not.toContain(
    "fair.nonce.own",
  );
});

test("a server that draws something else is caught", () => {
  const entries = game.entries.with(0, { seat: null, text: "w" });
  expect(keys({ record: [{ ...game, entries }], events: eventsOf({ ...game, entries }) })).toContain(
    "fair.draws.wrong",
  );
});

test("a server that lets somebody else start is caught, also if it says that this was agreed on", () => {
  expect(keys({ record: [{ ...game, first: (game.first + 1) % 3 }] })).toContain("fair.starter.wrong");
  expect(keys({ record: [{ ...game, drawn: false }] })).toContain("fair.starter.wrong");
  expect(keys({ record: [{ ...game, drawn: false }], kept: { ...kept, drawn: false } })).toContain(
    "fair.draws",
  );
});

test("a server that records another game than the one on the screen is caught", () => {
  const moved = game.entries.findIndex((entry) => "seat" in entry && entry.seat !== null);
  const entries = game.entries.with(moved, { seat: 0, text: "other" });
  expect(keys({ record: [{ ...game, entries }] })).toContain("fair.log.wrong");
  expect(keys({ events: evidence.events.slice(0, -1) })).toContain("fair.log.wrong");
  expect(keys({ table: { ...evidence.table, players: 4 } })).toContain("fair.log.wrong");
});

test("a hidden part of a line may be anything, the rest may not", () => {
  const hide = (text: string): EventView[] => evidence.events.with(1, { ...evidence.events[1]!, text });
  expect(keys({ events: hide("?") })).toContain("fair.log");
  expect(keys({ events: hide("A:?") })).toContain("fair.log.wrong");
});

test("a page that has shown only the last events compares those", () => {
  expect(keys({ events: evidence.events.slice(-10) })).toContain("fair.log");
  expect(
    keys({ events: evidence.events.slice(-10).with(3, { ...evidence.events[1]!, text: "other" }) }),
  ).toContain("fair.log.wrong");
});

test("a browser says what it cannot know: it came later, kept nothing, only watched, or somebody was silent", () => {
  expect(keys({ kept: { ...kept, early: false } })).toEqual([
    "fair.secret.late",
    "fair.nonce.without",
    "fair.draws.starter",
    "fair.log",
  ]);
  expect(keys({ kept: null })).toContain("fair.secret.unknown");
  expect(keys({ kept: { ...kept, own: {} }, table: { ...evidence.table, you: [] } })).toContain(
    "fair.nonce.watching",
  );
  const silent = { ...kept, seats: [kept.seats![0]!, hashHex("0d"), kept.seats![2]!] };
  expect(keys({ kept: silent })).toContain("fair.nonce.silent");
  expect(keys({ model: null })).toContain("fair.draws.unknown");
  expect(level({ kept: silent })).toBe("open");
});
