// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Choice } from "../../api/types";
import { locale } from "../../i18n/catalogue.svelte";
import ChoiceList from "./ChoiceList.svelte";

const choice = (text: string, said: string, ...paths: string[][]): Choice => ({
  text,
  words: said,
  paths,
  ends: false,
});
const many = (count: number, ...paths: string[][]): Choice[] =>
  [...Array(count).keys()].map((at) => choice(`c${at}`, `take number ${at}`, ...paths));

function shown(choices: Choice[], more: { hinted?: string; busy?: boolean } = {}) {
  const choose = vi.fn();
  const { rerender } = render(ChoiceList, {
    choices,
    hinted: more.hinted ?? null,
    busy: more.busy ?? false,
    choose,
  });
  return { choose, rerender };
}

const buttons = (): string[] =>
  screen.queryAllByRole("button").map((button) => button.textContent!.replace(/\s+/g, " ").trim());

beforeAll(() => locale.load("en"));
afterEach(cleanup);

test("a few choices are buttons, without a search", async () => {
  const { choose } = shown([choice("a", "take red"), choice("b", "take blue")]);
  expect(buttons()).toEqual(["take red", "take blue"]);
  expect(screen.queryByRole("searchbox")).toBeNull();
  await fireEvent.click(screen.getByText("take blue"));
  expect(choose).toHaveBeenCalledExactlyOnceWith("b");
});

test("a few choices need no headings", () => {
  shown([choice("a", "take red", ["Discs"]), choice("b", "move", ["Pawns"])]);
  expect(buttons()).toEqual(["take red", "move"]);
});

test("many choices are grouped under headings with their number", async () => {
  const { choose } = shown([...many(14, ["Discs"]), choice("m", "move on", ["Pawns"])]);
  expect(buttons()).toEqual(["Discs14", "Pawns1"]);
  await fireEvent.click(screen.getByText("Pawns"));
  expect(buttons()).toEqual(["Pawns", "move on"]);
  await fireEvent.click(screen.getByText("move on"));
  expect(choose).toHaveBeenCalledExactlyOnceWith("m");
});

test("headings are nested as long as there are many choices, and there is a way back", async () => {
  shown([...many(13, ["Discs", "Low"]), choice("h", "take high", ["Discs", "High"])]);
  await fireEvent.click(screen.getByText("Discs"));
  expect(buttons()).toEqual(["Discs", "Low13", "High1"]);
  await fireEvent.click(screen.getByText("High"));
  expect(buttons()).toEqual(["High", "take high"]);
  await fireEvent.click(screen.getByRole("button", { name: "High" }));
  await fireEvent.click(screen.getByRole("button", { name: "Discs" }));
  expect(buttons()).toEqual(["Discs14"]);
});

test("a choice is listed under each of its headings", async () => {
  shown([...many(12, ["Discs"]), choice("x", "both", ["Discs"], ["Pawns"])]);
  expect(buttons()).toEqual(["Discs13", "Pawns1"]);
  await fireEvent.click(screen.getByText("Pawns"));
  expect(buttons()).toEqual(["Pawns", "both"]);
});

test("a choice without a heading is listed beside the headings", () => {
  shown([...many(13, ["Discs"]), choice("p", "pass")]);
  expect(buttons()).toEqual(["Discs13", "pass"]);
});

test("the search ignores order, accents and case, and finds headings too", async () => {
  shown([...many(13, ["Discs"]), choice("z", "Äpfel und Größe", ["Säcke"])]);
  const search = screen.getByRole("searchbox");
  for (const wanted of ["größe APFEL", "GRÖSSE apfel", "grosse äpfel", "sacke"]) {
    await fireEvent.input(search, { target: { value: wanted } });
    expect(buttons()).toEqual(["Äpfel und Größe"]);
  }
});

test("a search without a match says so", async () => {
  shown(many(13));
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "zebra" } });
  expect(screen.getByText("No choice matches.")).toBeTruthy();
});

test("at most sixty choices are shown, and the rest are counted", () => {
  shown(many(75));
  expect(buttons()).toHaveLength(60);
  expect(screen.getByText("15 more choices: use the search.")).toBeTruthy();
});

test("new choices start at the top level", async () => {
  const { rerender } = shown([...many(13, ["Discs"]), choice("m", "move", ["Pawns"])]);
  await fireEvent.click(screen.getByText("Pawns"));
  await rerender({ choices: [...many(13, ["Stones"]), choice("n", "go", ["Fields"])] });
  expect(buttons()).toEqual(["Stones13", "Fields1"]);
});

test("a hint is announced, not only coloured", () => {
  shown([choice("a", "take red"), choice("b", "take blue")], { hinted: "b" });
  const button = screen.getByText("take blue").closest("button")!;
  expect(within(button).getByText("Hint:")).toBeTruthy();
});

test("nothing can be chosen while a request is under way", () => {
  shown([choice("a", "take red")], { busy: true });
  expect(screen.getByText("take red").closest("button")!.disabled).toBe(true);
});
