// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { TableView } from "../../api/types";
import { locale } from "../../i18n/catalogue.svelte";
import { settings } from "../../settings.svelte";
import type { Notice } from "../state/requests.svelte";
import RefusalNotice from "./RefusalNotice.svelte";

beforeAll(async () => {
  settings.set("text", true); // boards are drawn in a real browser
  const catalogue = readFileSync("web/locales/de.json", "utf8");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(catalogue)));
  await locale.load("de");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a refusal opens its rule in the reader's language", async () => {
  const page = "# Titel\n\n- Nimm eine Scheibe. <!-- R6 -->\n- Sonst die andere. <!-- R7 -->";
  const fetch = vi.fn((address: string) => Promise.resolve(new Response(address ? page : "")));
  vi.stubGlobal("fetch", fetch);
  const notice = { words: "Das geht nicht, Regel R7.", rule: "R7" } as Notice;
  render(RefusalNotice, { table: { game: "any", title: "Any" } as TableView, notice });
  await fireEvent.click(screen.getByRole("button", { name: "Regel R7 lesen" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Sonst die andere."));
  expect(fetch.mock.calls[0]![0]).toContain("language=de");
});
