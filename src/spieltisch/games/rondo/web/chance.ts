/** Chance of Rondo: stones from the bag. */
import { drawFromBag, type ChanceModel } from "#web/fairness/chance";

const STONES = { P: 24, B: 24, Y: 24, G: 24, R: 24 };

export const chance: ChanceModel = (_game, path) => drawFromBag(STONES, path);
