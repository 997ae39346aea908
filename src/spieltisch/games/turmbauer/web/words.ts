/** The board's own words. */
import { createTranslator, locale } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";

type Key = keyof typeof english;

export const say = createTranslator<Key>(
  import.meta.glob<Readonly<Record<Key, string>>>("./locales/*.json", { eager: true, import: "default" }),
);

/** A number with at most one digit after the point, as it is written here. */
export const figure = (value: number): string =>
  new Intl.NumberFormat(locale.language, { maximumFractionDigits: 1 }).format(value);
