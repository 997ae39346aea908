// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import type { TableView } from "../api/types";
import { makeTable } from "../table/state/fixtures";
import { keepCommitments, loadCommitments } from "./commitments";
import { commitNonce, hashHex, loadNonce } from "./nonces";

const SECRET = hashHex("01");
const OTHER = hashHex("02");

function view(
  status: TableView["status"],
  commitments: (string | null)[],
  more: Partial<TableView["fair"]> = {},
): TableView {
  const fair = {
    drawn: true,
    commits: [SECRET],
    commitments,
    nonces: [null, null],
    secrets: [null],
    ...more,
  };
  return makeTable({ status, fair });
}

beforeEach(() => localStorage.clear());

test("what the server commits to is kept at first sight, with this browser's nonce", () => {
  const mine = commitNonce();
  const kept = keepCommitments("t", view("gathering", [mine, null]));
  expect(kept).toEqual({
    commits: [SECRET],
    drawn: true,
    early: true,
    seats: null,
    own: { 0: loadNonce(mine) },
    changed: false,
  });
  expect(loadCommitments("t")).toEqual(kept);
});

test("people come and go until all seats are taken; from then on their commitments are kept", () => {
  const mine = commitNonce();
  keepCommitments("t", view("gathering", [mine, null]));
  keepCommitments("t", view("gathering", [mine, hashHex("0a")]));
  expect(keepCommitments("t", view("revealing", [mine, hashHex("0b")]))).toMatchObject({
    seats: [mine, hashHex("0b")],
    changed: false,
  });
  expect(keepCommitments("t", view("playing", [mine, hashHex("0b")]))!.changed).toBe(false);
});

test("a seat that was left and taken again has another commitment of this browser", () => {
  const [first, second] = [commitNonce(), commitNonce()];
  keepCommitments("t", view("gathering", [first, null]));
  keepCommitments("t", { ...view("gathering", [null, null]), you: [] });
  const kept = keepCommitments("t", view("gathering", [second, null]))!;
  expect([kept.changed, kept.own]).toEqual([false, { 0: loadNonce(second) }]);
});

test.each<[string, (mine: string) => TableView]>([
  ["the secret", (mine) => view("revealing", [mine, null], { commits: [OTHER] })],
  ["the number of secrets", (mine) => view("revealing", [mine, null], { commits: [SECRET, OTHER] })],
  ["whether the starting seat is drawn", (mine) => view("revealing", [mine, null], { drawn: false })],
  ["this browser's commitment", () => view("revealing", [OTHER, null])],
])("a server that exchanges %s is found out", (_, changed) => {
  const mine = commitNonce();
  keepCommitments("t", view("gathering", [mine, null]));
  expect(keepCommitments("t", changed(mine))!.changed).toBe(true);
  expect(keepCommitments("t", view("gathering", [mine, null]))!.changed).toBe(true); // and stays found out
});

test("somebody else's commitment cannot be exchanged once all seats are taken", () => {
  const mine = commitNonce();
  keepCommitments("t", view("revealing", [mine, hashHex("0a")]));
  expect(keepCommitments("t", view("playing", [mine, hashHex("0b")]))!.changed).toBe(true);
});

test("a browser that comes later keeps what there is, and knows that it is late", () => {
  expect(keepCommitments("t", { ...view("playing", [OTHER, null]), you: [] })).toMatchObject({
    early: false,
    own: {},
    changed: false,
  });
});

test("of a match that was over before it came, a browser has kept nothing", () => {
  expect(keepCommitments("t", view("over", [null, null]))).toBeNull();
  expect(loadCommitments("t")).toBeNull();
});

test("only the latest tables are kept", () => {
  const mine = commitNonce();
  keepCommitments("first", view("gathering", [mine, null]));
  for (let table = 0; table < 60; table++) keepCommitments(`t${table}`, view("gathering", [null, null]));
  expect([loadCommitments("first"), loadNonce(mine)]).toEqual([null, null]);
  expect(loadCommitments("t59")).not.toBeNull();
});
