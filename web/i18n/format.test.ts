import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { format, parse, type Arguments } from "./format";

type Vector = { about: string; language: string; pattern: string; arguments: Arguments; sentence: string };

/** The cases that also test the formatter in Python. */
const VECTORS = JSON.parse(readFileSync("tests/i18n/vectors/sentences.json", "utf8")) as Vector[];
const LANGUAGES = ["de", "en", "es", "fr", "it", "nl"];
const CATALOGUES = import.meta.glob<Record<string, string>>(
  ["../locales/*.json", "../../src/spieltisch/games/*/web/locales/*.json"],
  { eager: true, import: "default" },
);

test.each(VECTORS)("$about", ({ language, pattern, arguments: given, sentence }) => {
  expect(format(language, pattern, given)).toBe(sentence);
});

test.each([
  ["{name", "is missing"],
  ["name}", "not opened"],
  ["{}", "cannot be read"],
  ["{Name}", "cannot be read"],
  ["{disc:the}", "cannot be read"],
  ["{n, plural, one {a}}", "lacks the case other"],
  ["{n, plural, one}", "is missing"],
  ["{n, plural, one {a} other", "is missing"],
  ["{n, plural, one {a} {b}}", "cannot be read"],
  ["{n, plural, one {a", "is missing"],
  ["{n, ordinal, other {a}}", "cannot be read"],
])("%s is refused", (text, problem) => {
  expect(() => parse(text)).toThrow(problem);
});

test.each(Object.entries(CATALOGUES))("%s has no sentence that a number leaves unfilled", (file, texts) => {
  const language = file.slice(-"xx.json".length, -".json".length);
  for (const [key, text] of Object.entries(texts)) {
    const names = [...text.matchAll(/\{([a-z_]+)[,}]/g)].map(([, name]) => name!);
    for (const number of [0, 1, 2, 1234]) {
      const given = Object.fromEntries(names.map((name) => [name, number]));
      expect(format(language, text, given), key).not.toMatch(/[{}#]| {2}/);
    }
  }
});

test("an argument that was not given is named", () => {
  expect(() => format("en", "{name} wins.")).toThrow("name was not given");
  expect(() => format("en", "{n, plural, other {#}}", { name: "Ada" })).toThrow("n was not given");
});

test("a sentence may be empty, and so may a case", () => {
  expect(format("en", "")).toBe("");
  expect(format("en", "Ada{n, plural, =0 {} other {, #}}", { n: 0 })).toBe("Ada");
});

describe("plural", () => {
  const text = "{n, plural, one {one} other {other}}";

  test.each(LANGUAGES)("in %s 1 is one, and many counts as other", (language) => {
    expect(format(language, text, { n: 1 })).toBe("one");
    for (const n of [2, 11, 100, 1_000_000]) expect(format(language, text, { n })).toBe("other");
  });

  test.each(LANGUAGES)("in %s 0 is other, but one in French", (language) => {
    expect(format(language, text, { n: 0 })).toBe(language === "fr" ? "one" : "other");
  });

  test("an exact case comes before the category, wherever it stands", () => {
    expect(format("de", "{n, plural, other {#} one {ein} =1 {genau ein}}", { n: 1 })).toBe("genau ein");
  });
});

describe("nested", () => {
  test("the number sign is the number of the plural around it", () => {
    const text = "{a, plural, one {one} other {# of {b, plural, one {one} other {#}}}}";
    expect(format("en", text, { a: 2, b: 7 })).toBe("2 of 7");
  });

  test("the number sign is kept through a select", () => {
    const text = "{n, plural, other {{side, select, red {# red} other {# stones}}}}";
    expect(format("en", text, { n: 3, side: "red" })).toBe("3 red");
    expect(format("en", text, { n: 3, side: "blue" })).toBe("3 stones");
  });

  test("a case takes other arguments", () => {
    const text = "{n, plural, one {{name} has a stone} other {{name} has # stones}}";
    expect(format("en", text, { n: 4, name: "Ada" })).toBe("Ada has 4 stones");
  });
});

describe("lists", () => {
  test.each([
    ["de", "Ada, Ibo und Hans"],
    ["en", "Ada, Ibo and Hans"],
    ["es", "Ada, Ibo y Hans"],
    ["fr", "Ada, Ibo et Hans"],
    ["it", "Ada, Ibo e Hans"],
    ["nl", "Ada, Ibo en Hans"],
  ])("have the word of %s before the last name", (language, sentence) => {
    expect(format(language, "{names}", { names: ["Ada", "Ibo", "Hans"] })).toBe(sentence);
  });

  test.each(LANGUAGES)("of one name in %s are that name, and of none are nothing", (language) => {
    expect(format(language, "{names}", { names: ["Ada"] })).toBe("Ada");
    expect(format(language, "{names}", { names: [] })).toBe("");
  });

  test.each([
    ["Ibo", "Ada e Ibo"],
    ["Hilde", "Ada e Hilde"],
    ["Hierro", "Ada y Hierro"],
  ])("say e before an i in Spanish: %s", (last, sentence) => {
    expect(format("es", "{names}", { names: ["Ada", last] })).toBe(sentence);
  });
});

test.each([
  ["de", "12.345", "1,5"],
  ["en", "12,345", "1.5"],
  ["es", "12.345", "1,5"],
  ["fr", "12\u202f345", "1,5"],
  ["it", "12.345", "1,5"],
  ["nl", "12.345", "1,5"],
])("numbers are written as in %s", (language, whole, half) => {
  expect(format(language, "{n}", { n: 12345 })).toBe(whole);
  expect(format(language, "{n, plural, other {#}}", { n: 1.5 })).toBe(half);
});
