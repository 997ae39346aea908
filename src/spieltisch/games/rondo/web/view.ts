/** View model: the facts about a view that the components draw. */
import type { RondoField as Field, RondoView as View } from "#web/api/types";
import type { Colour } from "#web/art/palette";

export type { Field, View };

/** The colours in the order in which a rack counts them. */
export const LETTERS = ["P", "B", "Y", "G", "R"] as const;
export type Letter = (typeof LETTERS)[number];

const COLOURS: Readonly<Record<Letter, Colour>> = {
  P: "purple",
  B: "blue",
  Y: "yellow",
  G: "green",
  R: "red",
};

export const RACK_SIZE = 5;
export const CENTRE = "C"; // the name of the field in the middle

export const colourOf = (letter: string): Colour => COLOURS[letter as Letter];

export const isCovered = (field: Field): boolean => field.face_up > 0 || field.bridge !== null;

/** The number of grey fields, and how many of them are covered. */
export function countGreyFields(view: View): { covered: number; total: number } {
  const grey = view.fields.filter((field) => field.grey);
  return { covered: grey.filter(isCovered).length, total: grey.length };
}

/** The stones on a seat's rack, sorted by colour; none if they are hidden. */
export function rackStones(view: View, seat: number | null): Letter[] {
  const counts = seat === null ? null : view.racks[seat]?.stones;
  return counts ? LETTERS.flatMap((letter, at) => Array<Letter>(counts[at] ?? 0).fill(letter)) : [];
}
