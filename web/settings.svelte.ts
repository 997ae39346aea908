/** What a person has set, remembered by the browser. */
import { recall, remember } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type Speed = "off" | "fast" | "normal";

interface Kept {
  theme: Theme;
  speed: Speed;
  sounds: boolean;
  symbols: boolean;
  confirm: boolean;
  text: boolean;
  name: string;
}

/** What is on or off. */
export type Switch = "sounds" | "symbols" | "confirm" | "text";

const USUAL: Kept = {
  theme: "auto",
  speed: "normal",
  sounds: false,
  symbols: true,
  confirm: false,
  text: false,
  name: "",
};

class Settings {
  #kept = $state<Kept>({ ...USUAL, ...recall<Partial<Kept>>("settings") });

  get theme(): Theme {
    return this.#kept.theme;
  }
  get speed(): Speed {
    return this.#kept.speed;
  }
  get sounds(): boolean {
    return this.#kept.sounds;
  }
  get symbols(): boolean {
    return this.#kept.symbols;
  }
  /** Whether a turn is played only when the person says so. */
  get confirm(): boolean {
    return this.#kept.confirm;
  }
  /** Whether sentences stand in the place of drawn boards. */
  get text(): boolean {
    return this.#kept.text;
  }
  get name(): string {
    return this.#kept.name;
  }

  set<Name extends keyof Kept>(name: Name, value: Kept[Name]): void {
    this.#kept[name] = value;
    remember("settings", this.#kept);
    this.show();
  }

  /** Makes the page look so. */
  show(): void {
    const { theme, symbols, speed } = this.#kept;
    const root = document.documentElement;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.dataset.symbols = symbols ? "on" : "off";
    root.dataset.speed = speed;
  }

  /** Whether the page is dark now. */
  get dark(): boolean {
    return this.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : this.theme === "dark";
  }
}

export const settings = new Settings();
