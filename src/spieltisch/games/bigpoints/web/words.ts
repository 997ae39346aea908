/** The words of this game's parts for the screen. */
import { createTranslator } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";

type Words = Readonly<Record<keyof typeof english, string>>;

export const say = createTranslator<keyof typeof english>(
  import.meta.glob<Words>("./locales/*.json", { eager: true, import: "default" }),
);
