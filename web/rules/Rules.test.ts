// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from "@testing-library/svelte";
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { settings } from "../settings.svelte";
import { loadPart } from "../games/parts";
import Rules from "./Rules.svelte";

const GAMES = "src/spieltisch/games";
const names = Object.keys(import.meta.glob("../../src/spieltisch/games/*/web/figures.json")).map(
  (path) => /games\/(\w+)\//.exec(path)![1]!,
);

beforeAll(() => settings.set("text", true)); // boards are drawn in a real browser
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each(names)("a refusal of %s leads to the passage that says its rule", async (game) => {
  const page = readFileSync(`${GAMES}/${game}/locales/de.md`, "utf8");
  const fetch = vi.fn(() => Promise.resolve(new Response(page)));
  vi.stubGlobal("fetch", fetch);
  render(Rules, { game, rule: "R7" });
  await waitFor(() => expect(document.activeElement?.getAttribute("data-rules")).toContain("R7"));
  expect(screen.getByRole("button").getAttribute("aria-pressed")).toBe("true");
  expect(document.body.textContent).not.toMatch(/R\d/);
});

test.each(names)("the diagrams of %s are the figures that the rules reach", async (game) => {
  const figures = JSON.parse(readFileSync(`${GAMES}/${game}/web/figures.json`, "utf8")) as object;
  const { DIAGRAMS } = (await loadPart(game, "diagrams"))!;
  expect(DIAGRAMS.map(({ name }) => name)).toEqual(Object.keys(figures));
});
