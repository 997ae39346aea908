/** Choice parser: the choices as the board offers them. */
import type { Choice } from "#web/api/types";
import type { Colour } from "#web/art/palette";
import { COLOURS } from "./view";

const LETTERS = "RBG";

export interface PebbleChoice {
  choice: Choice;
  colour: Colour;
  faceDown: boolean;
}

/** Parses the choices that lay a pebble: "R" lays a red one face up, "r" face down. */
export function parsePebbleChoices(choices: readonly Choice[]): PebbleChoice[] {
  return choices.flatMap((choice) => {
    const letter = choice.text.toUpperCase();
    const colour = COLOURS[LETTERS.indexOf(letter)];
    return colour ? [{ choice, colour, faceDown: choice.text !== letter }] : [];
  });
}
