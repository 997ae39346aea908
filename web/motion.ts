/** Speed of animations, as the person has set it. */
import { settings } from "./settings.svelte";

const FACTORS = { slow: 2, normal: 1, fast: 0.4, off: 0 } as const;

/** The duration of an animation in milliseconds, given its duration at normal speed. */
export function scaleDuration(milliseconds: number): number {
  return milliseconds * FACTORS[settings.speed];
}

/** Whether to mark changes instead of animating them. */
export function reducedMotion(): boolean {
  return settings.speed === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
