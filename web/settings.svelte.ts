/** The person's settings, stored by the browser. */
import type { AvatarName } from "./art/avatars/looks";
import { storage } from "./storage";

export type ThemeSetting = "auto" | "light" | "dark";
export type Volume = "off" | "quiet" | "normal" | "loud";
export type Speed = "off" | "fast" | "normal" | "slow";
export const SPEEDS: readonly Speed[] = ["slow", "normal", "fast", "off"];

interface Values {
  theme: ThemeSetting;
  speed: Speed;
  volume: Volume;
  vibration: boolean;
  symbols: boolean;
  confirm: boolean;
  text: boolean;
  reactions: boolean;
  name: string;
  avatar: AvatarName | null;
}

/** A setting that is on or off. */
export type Toggle = "vibration" | "symbols" | "confirm" | "text" | "reactions";

const DEFAULTS: Values = {
  theme: "auto",
  speed: "normal",
  volume: "normal",
  vibration: false,
  symbols: true,
  confirm: false,
  text: false,
  reactions: true,
  name: "",
  avatar: null,
};

class Settings {
  #values = $state<Values>({ ...DEFAULTS, ...storage.load<Partial<Values>>("settings") });

  get theme(): ThemeSetting {
    return this.#values.theme;
  }
  get speed(): Speed {
    return this.#values.speed;
  }
  get volume(): Volume {
    return this.#values.volume;
  }
  get vibration(): boolean {
    return this.#values.vibration;
  }
  get symbols(): boolean {
    return this.#values.symbols;
  }
  /** Whether a turn is played only after the person has confirmed it. */
  get confirm(): boolean {
    return this.#values.confirm;
  }
  /** Whether sentences replace drawn boards. */
  get text(): boolean {
    return this.#values.text;
  }
  /** Whether reactions of others are shown, and can be sent. */
  get reactions(): boolean {
    return this.#values.reactions;
  }
  get name(): string {
    return this.#values.name;
  }
  /** The animal or coin that others see; null is a plain coin. */
  get avatar(): AvatarName | null {
    return this.#values.avatar;
  }

  set<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    this.#values[name] = value;
    storage.save("settings", this.#values);
    this.apply();
  }

  /** Sets the attributes of the page that its style sheets read. */
  apply(): void {
    const { theme, symbols, speed } = this.#values;
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
