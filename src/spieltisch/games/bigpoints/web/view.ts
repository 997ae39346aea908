/** View model: the facts about a view that the components draw. */
import type { BigpointsReach as Reach, BigpointsView as View } from "#web/api/types";
import type { Colour } from "#web/art/palette";

export type { Reach, View };

export const PAWNS = ["b", "r", "y", "g", "p"] as const;
export const LETTERS = [...PAWNS, "w", "k"] as const;
export type Letter = (typeof LETTERS)[number];
export const EMPTY = "."; // a place of the track whose disc was taken

const COLOURS: Readonly<Record<Letter, Colour>> = {
  b: "blue",
  r: "red",
  y: "yellow",
  g: "green",
  p: "purple",
  w: "white",
  k: "black",
};

export function colourOf(letter: string): Colour {
  return COLOURS[letter as Letter];
}

/** The place of a pawn: 0 before the first disc, the number of a disc, null on the staircase. */
export function pawnPlace(view: View, pawn: string): number | null {
  return view.pawns[PAWNS.indexOf(pawn as (typeof PAWNS)[number])] ?? null;
}

/** The points for a disc of a colour; null while its pawn has not reached the staircase. */
export function discValue(view: View, letter: string): number | null {
  return view.steps.find(({ pawn }) => pawn === letter)?.value ?? null;
}

/** The values of the free steps; the step that is taken next comes first. */
export function freeSteps(view: View): number[] {
  return view.steps.filter(({ pawn }) => pawn === null).map(({ value }) => value);
}

/** The discs of one colour in a hand, and their score if the game ended now. */
export interface HandLine {
  letter: Letter;
  count: number;
  /** The points for each disc. */
  each: number;
  points: number;
  /** Whether the points still depend on where the pawn of that colour ends. */
  open: boolean;
}

/** Scores a hand, one line per colour. */
export function scoreHand(view: View, discs: readonly number[]): HandLine[] {
  const kinds = LETTERS.filter((letter, at) => letter !== "w" && discs[at]).length;
  return LETTERS.map((letter, at) => {
    const count = discs[at] ?? 0;
    const value = discValue(view, letter);
    const each = letter === "w" ? kinds : (value ?? 0);
    const open = value === null && letter !== "w" && letter !== "k";
    return { letter, count, each, points: count * each, open };
  });
}

/** The total score of a hand if the game ended now. */
export function handScore(view: View, discs: readonly number[]): number {
  return scoreHand(view, discs).reduce((sum, { points }) => sum + points, 0);
}
