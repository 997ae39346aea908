/** What a view and its choices say, as the screen needs it. */
import type { Colour } from "#web/art/palette";
import type { BigpointsReach as Reach, BigpointsView as View, Choice } from "#web/api/types";

export type { Reach, View };

export const PAWNS = ["b", "r", "y", "g", "p"] as const;
export const LETTERS = [...PAWNS, "w", "k"] as const;
export type Letter = (typeof LETTERS)[number];
export const GONE = ".";

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

export type Take = "ahead" | "behind" | "beside" | "nothing";
const TAKES: Readonly<Record<string, Take>> = { "+": "ahead", "-": "behind", "^": "beside", "0": "nothing" };
const MOVE = /^\*?([brygp])(<?)([-+^0])$/;

export interface Move {
  pawn: string;
  backward: boolean;
  take: Take;
}

/** A move from its notation; null for what moves no pawn. */
export function moveOf(text: string): Move | null {
  const found = MOVE.exec(text);
  return found && { pawn: found[1]!, backward: found[2] === "<", take: TAKES[found[3]!]! };
}

/** A disc that can be taken. */
export interface Offer {
  choice: Choice;
  take: Take;
  /** Its number on the track; null beside the staircase, and where nothing is taken. */
  place: number | null;
  /** Its letter; null where nothing is taken. */
  disc: string | null;
}

/** A move of one pawn to one place, with everything that can be taken there. */
export interface Way {
  pawn: string;
  backward: boolean;
  landing: number | null;
  offers: Offer[];
}

/** The ways that these choices go. */
export function waysOf(view: View, choices: readonly Choice[]): Way[] {
  const ways: Way[] = [];
  for (const choice of choices) {
    const move = moveOf(choice.text);
    const reach = move && view.reach.find((one) => one.pawn === move.pawn && one.backward === move.backward);
    if (!reach) continue;
    let way = ways.find((one) => one.pawn === reach.pawn && one.backward === reach.backward);
    if (!way) {
      way = { pawn: reach.pawn, backward: reach.backward, landing: reach.landing, offers: [] };
      ways.push(way);
    }
    way.offers.push(offer(view, reach, move.take, choice));
  }
  return ways;
}

function offer(view: View, reach: Reach, take: Take, choice: Choice): Offer {
  const place = take === "ahead" ? reach.ahead : take === "behind" ? reach.behind : null;
  const disc = take === "beside" ? reach.pawn : place === null ? null : view.track[place - 1]!;
  return { choice, take, place, disc };
}

export const choicesOf = (ways: readonly Way[]): Choice[] =>
  ways.flatMap((way) => way.offers.map(({ choice }) => choice));

/** What is asked next: which pawn, which of its two ways, or which disc. */
export type Stage = "pawn" | "way" | "take";

export function stageOf(ways: readonly Way[], narrowed: boolean): Stage {
  if (!narrowed || new Set(ways.map(({ pawn }) => pawn)).size !== 1) return "pawn";
  return ways.length > 1 ? "way" : "take";
}

/** Where a pawn is: 0 before the first disc, the number of a disc, null on the staircase. */
export function placeOf(view: View, pawn: string): number | null {
  return view.pawns[PAWNS.indexOf(pawn as (typeof PAWNS)[number])] ?? null;
}

/** What a disc of a colour is worth now, as far as that is certain. */
export function valueOf(view: View, letter: string): number | null {
  return view.steps.find(({ pawn }) => pawn === letter)?.value ?? null;
}

/** The steps that are free, the next one first. */
export function freeSteps(view: View): number[] {
  return view.steps.filter(({ pawn }) => pawn === null).map(({ value }) => value);
}

export interface Line {
  letter: Letter;
  count: number;
  /** What each of them scores now. */
  each: number;
  points: number;
  /** Whether that can still change with the pawn of that colour. */
  open: boolean;
}

/** A hand by colour, with what it would score if the game ended now. */
export function linesOf(view: View, discs: readonly number[]): Line[] {
  const kinds = LETTERS.filter((letter, at) => letter !== "w" && discs[at]).length;
  return LETTERS.map((letter, at) => {
    const count = discs[at] ?? 0;
    const value = valueOf(view, letter);
    const each = letter === "w" ? kinds : (value ?? 0);
    const open = value === null && letter !== "w" && letter !== "k";
    return { letter, count, each, points: count * each, open };
  });
}

export function worth(view: View, discs: readonly number[]): number {
  return linesOf(view, discs).reduce((sum, { points }) => sum + points, 0);
}
