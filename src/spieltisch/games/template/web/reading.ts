/** What a view and its choices say, as the board needs it. */
import type { Colour, Paint } from "#web/art/palette";
import type { Choice, TemplateView as View } from "#web/api/types";

export type { View };

const LETTERS = "RBG";
const COLOURS: readonly Colour[] = ["red", "blue", "green"];

export interface Pebble {
  choice: Choice;
  colour: Colour;
  faceDown: boolean;
}

/** The choices that lay a pebble: a letter each, a small one for face down. */
export function pebblesOf(choices: readonly Choice[]): Pebble[] {
  return choices.flatMap((choice) => {
    const colour = COLOURS[LETTERS.indexOf(choice.text.toUpperCase())];
    return colour ? [{ choice, colour, faceDown: choice.text !== choice.text.toUpperCase() }] : [];
  });
}

/** A pile, pebble by pebble: in its colour where the viewer may know it. */
export function pileOf(view: View, seat: number): Paint[] {
  return [view.shown[seat]!, view.hidden[seat]!].flatMap(({ size, pebbles }) =>
    pebbles
      ? pebbles.flatMap((count, at) => Array<Paint>(count).fill(COLOURS[at]!))
      : Array<Paint>(size).fill("back"),
  );
}
