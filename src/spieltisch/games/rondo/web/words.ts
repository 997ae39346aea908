/** Translator for the messages of this game's components, and the names of fields. */
import { createTranslator } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";
import { CENTRE, type Letter } from "./view";

type Key = keyof typeof english;

export const say = createTranslator<Key>(
  import.meta.glob<Readonly<Record<Key, string>>>("./locales/*.json", { eager: true, import: "default" }),
);

/** The name of a field: by its position on the wheel, or its own name on another board. */
export function fieldName(name: string): string {
  if (name === CENTRE) return say("field.centre");
  if (/^A[NESW]$/.test(name)) return say("field.arm", { side: name[1]!.toLowerCase() });
  const number = Number(name.slice(1));
  if (/^I\d+$/.test(name)) return say("field.inner", { number });
  if (/^K\d+$/.test(name)) return say("field.spoke", { number });
  if (/^O\d+$/.test(name)) return say("field.outer", { number });
  return name;
}

/** The select case for a colour in the messages. */
export const colourCase = (letter: Letter | string): string => letter.toLowerCase();
