/** Message catalogue of the shell in the reader's language. The games' sentences come from the server, ready to be read. */
import english from "../locales/en.json";
import { storage } from "../storage";
import { format, type Arguments } from "./format";

export type MessageKey = keyof typeof english;
export type Catalogue = Readonly<Record<MessageKey, string>>;

export const LANGUAGES = ["de", "en", "es", "fr", "it", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

/** URLs of the catalogues. English is part of the bundle, so that there are always words. */
const urls = import.meta.glob<string>(["../locales/*.json", "!../locales/en.json"], {
  query: "?url",
  import: "default",
  eager: true,
});
const FIRST_TIMEOUT = 3000; // milliseconds; each retry, and the pause before it, takes twice as long
const MAX_TIMEOUT = 60_000; // milliseconds

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

/** Fetches a catalogue; null if it does not arrive in time. A fetch can be aborted, the load of a module cannot. */
async function fetchCatalogue(language: Language, timeout: number): Promise<Catalogue | null> {
  if (language === "en") return english;
  try {
    const response = await fetch(urls[`../locales/${language}.json`]!, {
      signal: AbortSignal.timeout(timeout),
    });
    if (response.ok) return (await response.json()) as Catalogue;
    if (response.status === 404) window.dispatchEvent(new Event("vite:preloadError")); // the server has a newer page
  } catch {
    // offline, or too slow
  }
  return null;
}

class Locale {
  language = $state<Language>("en");
  /** The language that was asked for and has not arrived; it is retried automatically. */
  missing = $state<Language | null>(null);
  #catalogue = $state.raw<Catalogue>(english);
  #wanted: Language = "en";
  #retry: ReturnType<typeof setTimeout> | undefined;

  say = (key: MessageKey, given?: Arguments): string => format(this.language, this.#catalogue[key], given);

  /** Switches to a language when its catalogue is there. Resolves after the first attempt; until then nothing changes. */
  async load(language: Language, timeout = FIRST_TIMEOUT): Promise<void> {
    clearTimeout(this.#retry);
    this.#wanted = language;
    const catalogue = await fetchCatalogue(language, timeout);
    if (this.#wanted !== language) return;
    clearTimeout(this.#retry);
    if (!catalogue) {
      this.missing = language;
      const next = Math.min(2 * timeout, MAX_TIMEOUT);
      this.#retry = setTimeout(() => void this.load(language, next), timeout);
      return;
    }
    this.missing = null;
    this.#catalogue = catalogue;
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Remembers a language as the person's choice and switches to it. */
  async choose(language: Language): Promise<void> {
    storage.save("language", language);
    await this.load(language);
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
