/** How Rondo sounds: stones on the wheel. */
import type { SoundOf } from "#web/games/props";

export const soundOf: SoundOf = ({ kind, text }) => (kind === "move" && text.includes(":") ? "stone" : null);
