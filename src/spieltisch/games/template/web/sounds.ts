/** How Pebbles sounds: a pebble that is laid, face up or face down. */
import type { SoundOf } from "#web/games/props";

export const soundOf: SoundOf = ({ kind, text }) => (kind === "move" && text !== "." ? "stone" : null);
