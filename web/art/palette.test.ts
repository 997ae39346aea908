import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COLOURS, PAINTS, WOODS, mix, type Theme } from "./palette";

const THEMES = ["light", "dark"] as const;

function declarations(sheet: string, selector: string): Map<string, string> {
  const found = new Map<string, string>();
  const rules = sheet.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g);
  for (const [, selectors, body] of rules) {
    const names = selectors!.split(",").map((name) => name.trim().replace(/['"]/g, ""));
    if (!names.includes(selector)) continue;
    for (const [, name, value] of body!.matchAll(/--([\w-]+)\s*:\s*([^;]+)/g))
      found.set(name!, value!.trim());
  }
  return found;
}

const SELECTORS: Record<Theme, string> = { light: ":root", dark: ":root[data-theme=dark]" };
const sheets = {
  app: readFileSync("web/app.css", "utf8"),
  pieces: readFileSync("web/art/palette.css", "utf8"),
};

function token(theme: Theme, name: string): string {
  const value = declarations(sheets.app, SELECTORS[theme]).get(name);
  expect(value, `--${name} in ${SELECTORS[theme]}`).toMatch(/^#[\da-f]{6}$/i);
  return value!.toLowerCase();
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** The smallest contrast to any of the backgrounds, to one digit. */
function least(colour: string, grounds: string[]): number {
  return Math.round(10 * Math.min(...grounds.map((ground) => contrast(colour, ground)))) / 10;
}

/** The darkest part of the table. */
function corner(theme: Theme): string {
  const rim = declarations(sheets.app, SELECTORS[theme]).get("rim")!;
  expect(rim).toMatch(/^#[\da-f]{8}$/i);
  return mix(token(theme, "table"), rim.slice(0, 7), parseInt(rim.slice(7), 16) / 255);
}

function grounds(theme: Theme): string[] {
  return [...["paper", "paper-2", "board", "table"].map((name) => token(theme, name)), corner(theme)];
}

test("a mixture lies between its two colours", () => {
  expect(mix("#000000", "#ffffff", 0.2)).toBe("#333333");
  expect(mix("#20559f", "#ffffff", 0)).toBe("#20559f");
  expect(mix("#20559f", "#ffffff", 1)).toBe("#ffffff");
});

describe.each(THEMES)("in the %s theme", (theme) => {
  const promised = (light: number, dark: number): number => (theme === "light" ? light : dark);

  test("the sheet of the pieces says what the data says", () => {
    const sheet = declarations(sheets.pieces, SELECTORS[theme]);
    for (const paint of [...COLOURS, ...WOODS]) {
      expect(sheet.get(`${paint}-edge`), paint).toBe(PAINTS[paint].edge[theme]);
      if (theme === "light") expect(sheet.get(paint)).toBe(PAINTS[paint].solid);
      if (theme === "light") expect(sheet.get(`${paint}-on`)).toBe(PAINTS[paint].on);
    }
    for (const colour of COLOURS) {
      expect(sheet.get(`${colour}-ink`), colour).toBe(PAINTS[colour].ink[theme]);
      expect(sheet.get(`${colour}-tint`), colour).toBe(PAINTS[colour].tint[theme]);
    }
  });

  test.each([
    ["ink", 9.6, 10.4],
    ["ink-2", 5, 6.5],
    ["edge", 3.2, 3.7],
    ["focus", 4.1, 7.6],
  ])("%s stands out from every ground", (name, light, dark) => {
    expect(least(token(theme, name), grounds(theme))).toBeGreaterThanOrEqual(promised(light, dark));
  });

  test.each(["ok", "warn", "bad"])("%s can be read on paper", (name) => {
    const papers = [token(theme, "paper"), token(theme, "paper-2")];
    expect(least(token(theme, name), papers)).toBeGreaterThanOrEqual(promised(5.7, 5.9));
  });

  test("the deciding button can be read", () => {
    const grounds = ["primary", "primary-hi"].map((name) => token(theme, name));
    expect(least(token(theme, "on-primary"), grounds)).toBeGreaterThanOrEqual(promised(8.8, 10.5));
  });

  test("the line around what is lit stands out", () => {
    const line = theme === "light" ? token(theme, "lit-line") : token(theme, "lit");
    expect(least(line, [token(theme, "table")])).toBeGreaterThanOrEqual(promised(11.3, 13.9));
  });

  test.each(COLOURS)("%s can be read as ink", (colour) => {
    const grounds = [token(theme, "paper"), token(theme, "board"), PAINTS[colour].tint[theme]];
    expect(least(PAINTS[colour].ink[theme], grounds)).toBeGreaterThanOrEqual(promised(5.7, 6.4));
  });

  test.each([...COLOURS, ...WOODS])("the edge of %s stands out from the table", (paint) => {
    expect(least(PAINTS[paint].edge[theme], [token(theme, "table")])).toBeGreaterThanOrEqual(
      promised(3.4, 5.2),
    );
  });
});

test.each([...COLOURS, ...WOODS])("what is drawn on %s can be read", (paint) => {
  expect(least(PAINTS[paint].on, [PAINTS[paint].solid])).toBeGreaterThanOrEqual(4.6);
});

test.each(["app", "pieces"] as const)(
  "the sheet of the %s follows a dark system as a dark choice",
  (name) => {
    const chosen = declarations(sheets[name], ":root[data-theme=dark]");
    const followed = declarations(sheets[name], ":root:not([data-theme=light])");
    expect([...followed]).toEqual([...chosen]);
  },
);
