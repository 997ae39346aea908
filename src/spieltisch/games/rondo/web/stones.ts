/** Stones and fields as the wire names them. */
import type { Colour } from "#web/art/palette";
import type { RondoField, RondoView } from "#web/api/types";

/** The colours in the order in which racks are counted. */
export const LETTERS = ["P", "B", "Y", "G", "R"] as const;
export type Letter = (typeof LETTERS)[number];

export const COLOURS: Readonly<Record<Letter, Colour>> = {
  P: "purple",
  B: "blue",
  Y: "yellow",
  G: "green",
  R: "red",
};

export const MOST = 5; // stones on a rack
export const CENTRE = "C";

export const readView = (view: unknown): RondoView => view as RondoView;

export const colourOf = (letter: string): Colour => COLOURS[letter as Letter];

export const covered = (field: RondoField): boolean => field.face_up > 0 || field.bridge !== null;

/** How many grey fields there are, and how many of them are covered. */
export function greyOf(view: RondoView): { taken: number; all: number } {
  const grey = view.fields.filter((field) => field.grey);
  return { taken: grey.filter(covered).length, all: grey.length };
}

/** The stones of a rack one by one, by colour; nothing where they are hidden. */
export function stonesOn(view: RondoView, seat: number | null): Letter[] {
  const counts = seat === null ? null : view.racks[seat]?.stones;
  return counts ? LETTERS.flatMap((letter, at) => Array<Letter>(counts[at] ?? 0).fill(letter)) : [];
}
