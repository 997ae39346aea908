// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { GameCard } from "../api/types";
import { locale } from "../i18n/catalogue.svelte";
import { storage } from "../storage";
import { defaultPlan, invitePlan, quickPlan, type Plan } from "./open-table";
import SetupSheet from "./SetupSheet.svelte";

const CARD = {
  game: "any",
  title: "Any",
  players: [2, 3, 4, 5],
  editions: [{ name: "only", words: "2–5 players", players: [2, 3, 4, 5] }],
  options: [
    {
      name: "hands",
      values: ["concealed", "open"],
      names: ["concealed", "open"],
      default: "concealed",
      words: "Hands",
      about: "Open: everyone sees all hands.",
    },
  ],
  games: { 2: 2, 3: 3, 4: 4, 5: 5 },
} as unknown as GameCard;

function setUp(card = CARD) {
  const open = vi.fn<(plan: Plan) => void>();
  render(SetupSheet, { card, plan: defaultPlan(card), busy: false, error: null, close: vi.fn(), open });
  return open;
}

const submit = () => fireEvent.submit(document.querySelector("form")!);

beforeAll(() => locale.load("en"));
beforeEach(() => storage.save("plan.any", null));
afterEach(cleanup);

test("a match follows the seats: a fourth seat makes it four games", async () => {
  const open = setUp();
  await fireEvent.click(screen.getByLabelText("a match of 3 games"));
  await fireEvent.click(screen.getByText("Add a seat"));
  expect(screen.getByLabelText<HTMLInputElement>("a match of 4 games").checked).toBe(true);
  await submit();
  expect(open.mock.calls[0]![0]).toMatchObject({ games: 4 });
  expect(open.mock.calls[0]![0].seats).toHaveLength(4);
});

test("one game stays one game, and a match is offered for every game", async () => {
  const open = setUp({ ...CARD, games: { 2: 1, 3: 1, 4: 1, 5: 1 } });
  expect(screen.getByLabelText("a match of 3 games")).toBeTruthy();
  expect(screen.queryByText(/recommend/)).toBeNull();
  await submit();
  expect(open.mock.calls[0]![0].games).toBe(1);
});

test("a match that was played with other seats has as many games as the seats of today", () => {
  const last = { ...defaultPlan(CARD), games: 5, seats: defaultPlan(CARD).seats.slice(0, 2) };
  storage.save("plan.any", last);
  expect(quickPlan(CARD).games).toBe(2);
  expect(invitePlan(CARD).games).toBe(2);
  storage.save("plan.any", { ...last, games: 1 });
  expect(quickPlan(CARD).games).toBe(1);
});

test("an option has a short label and its explanation beneath", () => {
  setUp();
  const select = screen.getByLabelText("Hands");
  const about = document.getElementById(select.getAttribute("aria-describedby")!);
  expect(about?.textContent).toBe("Open: everyone sees all hands.");
});
