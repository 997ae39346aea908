/** How much moves, and how quickly, as the person has set it. */
import { settings } from "./settings.svelte";

const PARTS = { normal: 1, fast: 0.4, off: 0 } as const;

/** The milliseconds for something that takes so many at the normal speed. */
export function span(milliseconds: number): number {
  return milliseconds * PARTS[settings.speed];
}

/** Whether nothing is to fly or walk: what has changed is only marked. */
export function still(): boolean {
  return settings.speed === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
