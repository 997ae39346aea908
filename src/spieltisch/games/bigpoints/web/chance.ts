/** Chance of Big Points: the discs of the track, in the order in which they are laid. */
import { drawFromBag, type ChanceModel } from "#web/fairness/chance";

const DISCS = { b: 9, r: 9, y: 9, g: 9, p: 9, w: 5, k: 5 };

export const chance: ChanceModel = (_game, path) => drawFromBag(DISCS, path);
