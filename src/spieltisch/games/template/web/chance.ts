/** Chance of the template game: pebbles from the bag. */
import { drawFromBag, type ChanceModel } from "#web/fairness/chance";

const BAG = { R: 5, B: 5, G: 5 };

export const chance: ChanceModel = ({ options }, path) => {
  const bag = options.bag ? (JSON.parse(options.bag) as typeof BAG) : BAG;
  return drawFromBag({ R: bag.R, B: bag.B, G: bag.G }, path);
};
