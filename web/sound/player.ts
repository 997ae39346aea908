/** Sound player: plays the sounds of the table as loudly as the person has set, and never before the first tap. */
import { settings, type Volume } from "../settings.svelte";
import { schedule, type Sound } from "./synthesizer";

const GAINS: Readonly<Record<Volume, number>> = { off: 0, quiet: 0.3, normal: 0.7, loud: 1.4 };
const VIBRATIONS: Partial<Record<Sound, number | number[]>> = {
  turn: 60,
  win: [60, 60, 120],
  fall: [90, 40, 90, 40, 160],
};
const REPEAT_TIME = 80; // milliseconds within which the same sound is not played again
const GESTURES = ["pointerup", "keydown"] as const;

export interface SoundPreferences {
  readonly volume: Volume;
  readonly vibration: boolean;
}

export class SoundPlayer {
  #context: AudioContext | undefined;
  #output: GainNode | undefined;
  #last: { sound: Sound; time: number } | undefined;

  constructor(
    readonly preferences: SoundPreferences,
    readonly createContext: () => AudioContext = () => new AudioContext(),
  ) {}

  /** Waits for a gesture, since browsers start audio only then; they may suspend it later, so every gesture counts. */
  listen(target: EventTarget = window): () => void {
    for (const gesture of GESTURES) target.addEventListener(gesture, this.#awaken, { passive: true });
    return () => {
      for (const gesture of GESTURES) target.removeEventListener(gesture, this.#awaken);
    };
  }

  /** Plays a sound after so many seconds; nothing before the first tap, or if sounds are off. */
  play(sound: Sound, delay = 0): void {
    const time = Date.now() + 1000 * delay;
    if (this.#last?.sound === sound && time - this.#last.time < REPEAT_TIME) return;
    this.#last = { sound, time };
    if (this.preferences.vibration) vibrate(sound);
    const gain = GAINS[this.preferences.volume];
    if (!gain || !this.#output || this.#context?.state !== "running") return;
    this.#output.gain.value = gain;
    schedule(sound, this.#context, this.#output, delay);
  }

  #awaken = (): void => {
    if (this.preferences.volume === "off" || !isActivated(true)) return;
    if (!this.#context) {
      this.#context = this.createContext();
      this.#output = this.#context.createGain();
      this.#output.connect(this.#context.destination);
    }
    if (this.#context.state !== "running") void this.#context.resume().catch(() => {}); // the next gesture tries again
  };
}

/** Whether the person has tapped or pressed a key here, ever or right now, as far as the browser says. */
function isActivated(now: boolean): boolean {
  const { userActivation } = navigator as Partial<Navigator>;
  return userActivation ? (now ? userActivation.isActive : userActivation.hasBeenActive) : now;
}

/** Whether this device can vibrate. */
export const canVibrate = (): boolean => "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

function vibrate(sound: Sound): void {
  const pattern = VIBRATIONS[sound];
  if (pattern !== undefined && canVibrate() && isActivated(false)) navigator.vibrate(pattern);
}

export const sounds = new SoundPlayer(settings);
