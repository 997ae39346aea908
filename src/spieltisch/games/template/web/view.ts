/** View model: the facts about a view that the board draws. */
import type { TemplateView as View } from "#web/api/types";
import type { Colour, Paint } from "#web/art/palette";

export type { View };

/** The colours in the order in which a pile counts them. */
export const COLOURS: readonly Colour[] = ["red", "blue", "green"];

/** The paint of every pebble in a seat's pile; `back` if the viewer may not know its colour. */
export function pileOf(view: View, seat: number): Paint[] {
  return [view.shown[seat]!, view.hidden[seat]!].flatMap(({ size, pebbles }) =>
    pebbles
      ? pebbles.flatMap((count, at) => Array<Paint>(count).fill(COLOURS[at]!))
      : Array<Paint>(size).fill("back"),
  );
}
