/** Choice parser: choices grouped into the steps in which they are made, first a pawn, then its direction, then a disc. */
import type { Choice } from "#web/api/types";
import { freeSteps, type Reach, type View } from "./view";
import { say } from "./words";

export type Take = "ahead" | "behind" | "beside" | "nothing";
const TAKES: Readonly<Record<string, Take>> = { "+": "ahead", "-": "behind", "^": "beside", "0": "nothing" };
const MOVE = /^\*?([brygp])(<?)([-+^0])$/;

export interface Move {
  pawn: string;
  backward: boolean;
  take: Take;
}

/** Parses the notation of a move; null for a choice that moves no pawn. */
export function parseMove(text: string): Move | null {
  const found = MOVE.exec(text);
  return found && { pawn: found[1]!, backward: found[2] === "<", take: TAKES[found[3]!]! };
}

/** A disc that can be taken at a destination. */
export interface TakeOption {
  choice: Choice;
  take: Take;
  /** Its number on the track; null if it lies beside the staircase or nothing is taken. */
  place: number | null;
  /** Its letter; null if nothing is taken. */
  disc: string | null;
}

/** A place that a pawn can move to, with everything that can be taken there. */
export interface Destination {
  pawn: string;
  backward: boolean;
  /** The number of a disc; null for the staircase. */
  landing: number | null;
  options: TakeOption[];
}

/** Groups the choices that move a pawn by their destination. */
export function groupByDestination(view: View, choices: readonly Choice[]): Destination[] {
  const destinations: Destination[] = [];
  for (const choice of choices) {
    const move = parseMove(choice.text);
    const reach = move && view.reach.find((one) => one.pawn === move.pawn && one.backward === move.backward);
    if (!reach) continue;
    let found = destinations.find((one) => one.pawn === reach.pawn && one.backward === reach.backward);
    if (!found) {
      found = { pawn: reach.pawn, backward: reach.backward, landing: reach.landing, options: [] };
      destinations.push(found);
    }
    found.options.push(takeOption(view, reach, move.take, choice));
  }
  return destinations;
}

function takeOption(view: View, reach: Reach, take: Take, choice: Choice): TakeOption {
  const place = take === "ahead" ? reach.ahead : take === "behind" ? reach.behind : null;
  const disc = take === "beside" ? reach.pawn : place === null ? null : view.track[place - 1]!;
  return { choice, take, place, disc };
}

export const choicesOf = (destinations: readonly Destination[]): Choice[] =>
  destinations.flatMap(({ options }) => options.map(({ choice }) => choice));

/** The next question: which pawn, which of its two directions, or which disc. */
export type Stage = "pawn" | "direction" | "take";

export function selectionStage(destinations: readonly Destination[], narrowed: boolean): Stage {
  if (!narrowed || new Set(destinations.map(({ pawn }) => pawn)).size !== 1) return "pawn";
  return destinations.length > 1 ? "direction" : "take";
}

/** The label of a pawn that can be moved, given its destinations. */
export function describePawn(view: View, destinations: readonly Destination[]): string {
  const { pawn } = destinations[0]!;
  return destinations.length > 1 ? say("pawn.both", { pawn }) : describeDestination(view, destinations[0]!);
}

/** The label of a move to one destination. */
export function describeDestination(view: View, { pawn, backward, landing }: Destination): string {
  if (landing === null) return say("pawn.climb", { pawn, step: freeSteps(view)[0] ?? 0 });
  return backward
    ? say("pawn.backward", { pawn, number: landing })
    : say("pawn.forward", { pawn, number: landing });
}
