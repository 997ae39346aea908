/** Translator for the messages of this game's components. */
import { createTranslator } from "#web/i18n/catalogue.svelte";
import type english from "./locales/en.json";

type Messages = Readonly<Record<keyof typeof english, string>>;

export const say = createTranslator<keyof typeof english>(
  import.meta.glob<Messages>("./locales/*.json", { eager: true, import: "default" }),
);
