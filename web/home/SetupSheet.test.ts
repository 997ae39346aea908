// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { GameCard } from "../api/types";
import { locale } from "../i18n/catalogue.svelte";
import { storage } from "../storage";
import { defaultPlan, invitePlan, quickPlan, swapSeats, withSeats, type Plan } from "./open-table";
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
  await fireEvent.click(screen.getByLabelText(/a match of 3 games/));
  await fireEvent.click(screen.getByText("Add a seat"));
  expect(screen.getByLabelText<HTMLInputElement>(/a match of 4 games/).checked).toBe(true);
  await submit();
  expect(open.mock.calls[0]![0]).toMatchObject({ games: 4 });
  expect(open.mock.calls[0]![0].seats).toHaveLength(4);
});

test("one game stays one game, and a match is offered for every game", async () => {
  const open = setUp({ ...CARD, games: { 2: 1, 3: 1, 4: 1, 5: 1 } });
  expect(screen.getByLabelText(/a match of 3 games/)).toBeTruthy();
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

test("steppers add and remove seats of a kind; people sit before bots", () => {
  const kinds = (seats: Plan["seats"]) => seats.map((seat) => seat.kind);
  const { seats } = defaultPlan(CARD);
  expect(kinds(withSeats(seats, "bot", 3))).toEqual(["me", "bot", "bot", "bot"]);
  expect(kinds(withSeats(seats, "device", 1))).toEqual(["me", "device", "bot", "bot"]);
  expect(kinds(withSeats(withSeats(seats, "open", 2), "bot", 1))).toEqual(["me", "open", "open", "bot"]);
  expect(kinds(withSeats(seats, "bot", 0))).toEqual(["me"]);
});

test("bots and people at this device are chosen with steppers, within what the game allows", async () => {
  const open = setUp();
  const [fewerBots, moreBots] = screen.getAllByRole("button", { name: /^One/ });
  for (let press = 0; press < 4; press++) await fireEvent.click(moreBots!);
  await submit();
  expect(open.mock.lastCall![0].seats).toHaveLength(5);
  for (let press = 0; press < 5; press++) await fireEvent.click(fewerBots!);
  await submit();
  expect(open.mock.lastCall![0].seats).toHaveLength(2);
});

test("whoever changes the seat for its colour still begins", () => {
  const plan = { ...defaultPlan(CARD), first: 0 };
  const swapped = swapSeats(plan, 0, 2);
  expect(swapped.seats.map((seat) => seat.kind)).toEqual(["bot", "bot", "me"]);
  expect(swapped.first).toBe(2);
  expect(swapSeats({ ...plan, first: null }, 0, 2).first).toBeNull();
});

test("a match is marked as recommended where the rules recommend it", () => {
  setUp();
  expect(screen.getByText("recommended")).toBeTruthy();
});
