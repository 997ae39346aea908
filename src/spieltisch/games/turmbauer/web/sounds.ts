/** How Turmbauer sounds: dice, cubes that are built, a pawn that climbs, and what falls. */
import type { Sound } from "#web/sound/synthesizer";
import type { SoundOf } from "#web/games/props";

const SOUNDS: readonly (readonly [RegExp, Sound])[] = [
  [/^[1-6]\+[1-6]$/, "dice"],
  [/^@/, "wood"],
  [/^[bc]?>/, "disc"],
  [/^fall /, "fall"],
];

export const soundOf: SoundOf = ({ text }) => SOUNDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
