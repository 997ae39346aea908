/** The shell's words in the reader's language; the games' sentences come from the server, ready to be read. */
import type english from "../locales/en.json";
import { recall, remember } from "../memory";
import { format, type Arguments } from "./format";

export type Key = keyof typeof english;
export type Catalogue = Readonly<Record<Key, string>>;

export const LANGUAGES = ["de", "en", "es", "fr", "it", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

const catalogues = import.meta.glob<Catalogue>("../locales/*.json", { import: "default" });

/** Every language by its own name. */
export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
  return name[0]!.toLocaleUpperCase(language) + name.slice(1);
}

export function preferred(asked: readonly string[]): Language {
  const spoken = asked.map((tag) => tag.slice(0, 2).toLowerCase());
  return spoken.map((word) => LANGUAGES.find((language) => language === word)).find(Boolean) ?? "en";
}

class Words {
  language = $state<Language>("en");
  #catalogue = $state.raw<Catalogue>();

  get ready(): boolean {
    return this.#catalogue !== undefined;
  }

  say = (key: Key, given?: Arguments): string => {
    const text = this.#catalogue?.[key];
    return text === undefined ? "" : format(this.language, text, given);
  };

  async speak(language: Language): Promise<void> {
    this.#catalogue = await catalogues[`../locales/${language}.json`]!();
    this.language = language;
    document.documentElement.lang = language;
  }

  async choose(language: Language): Promise<void> {
    await this.speak(language);
    remember("language", language);
  }

  begin(): Promise<void> {
    const chosen = recall<string>("language");
    return this.speak(preferred(chosen ? [chosen] : navigator.languages));
  }
}

export const words = new Words();
export const say = words.say;

/** The words of a game's own parts for the screen: `catalogue(import.meta.glob("./locales/*.json", …))`. */
export function catalogue<Name extends string>(
  files: Record<string, Readonly<Record<Name, string>>>,
): (key: Name, given?: Arguments) => string {
  return (key, given) => format(words.language, files[`./locales/${words.language}.json`]![key], given);
}
