/** The board's own words. */
import { catalogue } from "#web/words/words.svelte";
import type english from "./locales/en.json";

type Key = keyof typeof english;

export const say = catalogue<Key>(
  import.meta.glob<Readonly<Record<Key, string>>>("./locales/*.json", { eager: true, import: "default" }),
);
