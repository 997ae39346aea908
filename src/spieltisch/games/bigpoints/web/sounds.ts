/** How Big Points sounds: a disc that is taken, and a pawn on the wooden steps or without a disc. */
import type { SoundOf } from "#web/games/props";

export const soundOf: SoundOf = ({ kind, text }) => {
  if (kind !== "move" || text === ".") return null;
  return /[+-]$/.test(text) ? "disc" : "wood";
};
