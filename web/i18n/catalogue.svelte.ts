/** Message catalogue of the shell in the reader's language. The games' sentences come from the server, ready to be read. */
import type english from "../locales/en.json";
import { storage } from "../storage";
import { format, type Arguments } from "./format";

export type MessageKey = keyof typeof english;
export type Catalogue = Readonly<Record<MessageKey, string>>;

export const LANGUAGES = ["de", "en", "es", "fr", "it", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

const catalogues = import.meta.glob<Catalogue>("../locales/*.json", { import: "default" });

/** The name of a language in that language. */
export function languageName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
  return name[0]!.toLocaleUpperCase(language) + name.slice(1);
}

/** The first of the requested language tags that we have; English if there is none. */
export function negotiateLanguage(tags: readonly string[]): Language {
  const requested = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  return requested.map((code) => LANGUAGES.find((language) => language === code)).find(Boolean) ?? "en";
}

class Locale {
  language = $state<Language>("en");
  #catalogue = $state.raw<Catalogue>();

  say = (key: MessageKey, given?: Arguments): string => {
    const text = this.#catalogue?.[key];
    return text === undefined ? "" : format(this.language, text, given);
  };

  async load(language: Language): Promise<void> {
    this.#catalogue = await catalogues[`../locales/${language}.json`]!();
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Loads a language and remembers it as the person's choice. */
  async choose(language: Language): Promise<void> {
    await this.load(language);
    storage.save("language", language);
  }

  /** Loads the language chosen earlier, or the one that the browser asks for. */
  start(): Promise<void> {
    const chosen = storage.load<string>("language");
    return this.load(negotiateLanguage(chosen ? [chosen] : navigator.languages));
  }
}

export const locale = new Locale();
export const say = locale.say;

/** Translator of a game's own messages: `createTranslator(import.meta.glob("./locales/*.json", …))`. */
export function createTranslator<Key extends string>(
  files: Record<string, Readonly<Record<Key, string>>>,
): (key: Key, given?: Arguments) => string {
  return (key, given) => format(locale.language, files[`./locales/${locale.language}.json`]![key], given);
}
