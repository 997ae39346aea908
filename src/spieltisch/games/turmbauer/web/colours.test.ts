// @vitest-environment happy-dom
import { beforeAll, expect, test } from "vitest";
import { locale } from "#web/i18n/catalogue.svelte";
import { seatColours } from "./colours";

beforeAll(() => locale.load("en"));

test("each seat has its colour, and two seats have two each", () => {
  const words = (players: number) => seatColours(players).map((seat) => seat.words);
  expect(words(4)).toEqual(["Red", "Blue", "Green", "Black"]);
  expect(words(3)).toEqual(["Red", "Blue", "Green"]);
  expect(words(2)).toEqual(["Red and green", "Blue and black"]);
  expect(seatColours(2)[1]!.paints).toEqual(["blue", "black"]);
});
