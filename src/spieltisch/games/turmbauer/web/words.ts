/** Translator for the messages of this game's components. */
import { createTranslator, locale } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";

type Key = keyof typeof english;

export const say = createTranslator<Key>(
  import.meta.glob<Readonly<Record<Key, string>>>("./locales/*.json", { eager: true, import: "default" }),
);

/** Formats a number in the reader's language, with at most one decimal. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale.language, { maximumFractionDigits: 1 }).format(value);
