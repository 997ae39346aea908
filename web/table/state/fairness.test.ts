// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { outbox } from "../../api/outbox.svelte";
import type { TableView } from "../../api/types";
import { commitNonce, hashHex, loadNonce } from "../../fairness/nonces";
import { FairnessState } from "./fairness.svelte";
import { makeTable } from "./fixtures";

const send = vi.spyOn(outbox, "send");
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function revealing(commitments: (string | null)[], nonces: (string | null)[] = [null, null]): TableView {
  const fair = { drawn: true, commits: [hashHex("01")], secrets: [null], commitments, nonces };
  return makeTable({ status: "revealing", fair });
}

beforeEach(() => {
  localStorage.clear();
  send.mockReset().mockResolvedValue({ table: "t" });
});

test("a nonce is revealed once, and kept to be compared at the end", async () => {
  const commitment = commitNonce();
  const nonce = loadNonce(commitment)!;
  expect(hashHex(nonce)).toBe(commitment);
  const state = new FairnessState("t");
  state.update(revealing([commitment, null]));
  state.update(revealing([commitment, null]));
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/reveal", { seat: 0, nonce });
  await settle();
  expect(new FairnessState("t").kept).toBeNull();
  expect(state.kept?.own).toEqual({ 0: nonce });
});

test("a nonce is not revealed to a server that has changed its commitment", () => {
  const commitment = commitNonce();
  const before = revealing([commitment, null]);
  const state = new FairnessState("t");
  state.update({ ...before, status: "gathering" });
  state.update({ ...before, fair: { ...before.fair, commits: [hashHex("02")] } });
  expect(send).not.toHaveBeenCalled();
  expect([state.kept?.changed, state.withheld]).toEqual([true, true]);
  const reloaded = new FairnessState("t");
  reloaded.update(before); // nor after the page is loaded again, and the first commitment is back
  expect(send).not.toHaveBeenCalled();
});

test("nothing is revealed before all seats are taken", () => {
  const commitment = commitNonce();
  new FairnessState("t").update({ ...revealing([commitment, null]), status: "gathering" });
  expect(send).not.toHaveBeenCalled();
});

test("a nonce that the table already has is not sent again", () => {
  const commitment = commitNonce();
  new FairnessState("t").update(revealing([commitment, null], ["00", null]));
  expect(send).not.toHaveBeenCalled();
});

test("a nonce that this browser did not make is not sent", () => {
  new FairnessState("t").update(revealing([hashHex("00"), null]));
  expect(send).not.toHaveBeenCalled();
});

test("if the reveal is refused, the nonce is kept and nothing breaks", async () => {
  send.mockRejectedValue(new Error("too late"));
  const commitment = commitNonce();
  new FairnessState("t").update(revealing([commitment, null]));
  await settle();
  expect(loadNonce(commitment)).not.toBeNull();
});
