// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => vi.resetModules());

it.each([
  ["#plum-tree", "plum-tree"],
  ["#plum%20tree", "plum tree"],
  ["#%", "%"],
  ["", ""],
])("takes the invitation %j out of the address", async (hash, code) => {
  history.replaceState(null, "", `/tables/1${hash}`);
  const { router } = await import("./router.svelte");
  expect(router.takeInviteCode()).toBe(code);
  expect(location.hash).toBe("");
});
