/** The board's own words, and its fields and stones by name. */
import { createTranslator } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";
import { CENTRE, type Letter } from "./stones";

type Key = keyof typeof english;

export const say = createTranslator<Key>(
  import.meta.glob<Readonly<Record<Key, string>>>("./locales/*.json", { eager: true, import: "default" }),
);

/** What a field is called: by its place on the wheel, or by its name on another board. */
export function placeOf(name: string): string {
  if (name === CENTRE) return say("field.centre");
  if (/^A[NESW]$/.test(name)) return say("field.arm", { side: name[1]!.toLowerCase() });
  const number = Number(name.slice(1));
  if (/^I\d+$/.test(name)) return say("field.inner", { number });
  if (/^K\d+$/.test(name)) return say("field.spoke", { number });
  if (/^O\d+$/.test(name)) return say("field.outer", { number });
  return name;
}

/** A letter as the catalogue's cases are called. */
export const lower = (letter: Letter | string): string => letter.toLowerCase();
