import { beforeEach, expect, test, vi } from "vitest";
import { commitNonce, hashHex, loadNonce } from "../../api/nonces";
import { outbox } from "../../api/outbox.svelte";
import type { TableView } from "../../api/types";
import { makeTable } from "./fixtures";
import { NonceReveal } from "./nonce-reveal";

const send = vi.spyOn(outbox, "send");
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function revealing(commitments: (string | null)[], nonces: (string | null)[] = [null, null]): TableView {
  return makeTable({ status: "revealing", fair: { commits: [], secrets: [], commitments, nonces } } as never);
}

beforeEach(() => {
  localStorage.clear();
  send.mockReset().mockResolvedValue({ table: "t" });
});

test("a nonce is revealed once, and then removed", async () => {
  const commitment = commitNonce();
  const nonce = loadNonce(commitment)!;
  expect(hashHex(nonce)).toBe(commitment);
  const reveal = new NonceReveal("t");
  reveal.update(revealing([commitment, null]));
  reveal.update(revealing([commitment, null]));
  expect(send).toHaveBeenCalledExactlyOnceWith("tables/t/reveal", { seat: 0, nonce });
  await settle();
  expect(loadNonce(commitment)).toBeNull();
});

test("nothing is revealed before all seats are taken", () => {
  const commitment = commitNonce();
  new NonceReveal("t").update({ ...revealing([commitment, null]), status: "gathering" });
  expect(send).not.toHaveBeenCalled();
});

test("a nonce that the table already has is not sent again", () => {
  const commitment = commitNonce();
  new NonceReveal("t").update(revealing([commitment, null], ["00", null]));
  expect(send).not.toHaveBeenCalled();
});

test("a nonce that this browser did not make is not sent", () => {
  new NonceReveal("t").update(revealing([hashHex("00"), null]));
  expect(send).not.toHaveBeenCalled();
});

test("if the reveal is refused, the nonce is kept and nothing breaks", async () => {
  send.mockRejectedValue(new Error("too late"));
  const commitment = commitNonce();
  new NonceReveal("t").update(revealing([commitment, null]));
  await settle();
  expect(loadNonce(commitment)).not.toBeNull();
});
