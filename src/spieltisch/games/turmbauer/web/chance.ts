/** Chance of Turmbauer: two dice, and the side of a tremor. Whether a tower stands is judged, not drawn. */
import type { Chance, ChanceModel } from "#web/fairness/chance";

const FACES = [1, 2, 3, 4, 5, 6];
const ROLLS = FACES.flatMap((low) => FACES.filter((high) => high >= low).map((high) => [low, high] as const));
const DICE: Chance = {
  texts: ROLLS.map(([low, high]) => `${low}+${high}`),
  weights: ROLLS.map(([low, high]) => (low === high ? 1 : 2)),
};
const TREMOR: Chance = { texts: ["~N", "~E", "~S", "~W"], weights: [1, 1, 1, 1] };

export const chance: ChanceModel = (_game, _path, text) => {
  if (text === "stands" || text.startsWith("fall ")) return null;
  return text.startsWith("~") ? TREMOR : DICE;
};
