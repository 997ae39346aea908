/** What lies on the board to be chosen: pawns first, then a pawn's ways, then discs. */
import type { Choice } from "#web/api/types";
import { around, onDisc, onStep, standing } from "./places";
import { choicesOf, freeSteps, placeOf, type Stage, type View, type Way } from "./reading";
import type { Plan, Point } from "./track";
import { say } from "./words";

export interface Aim {
  key: string;
  /** Whose pawn it is about. */
  pawn: string;
  middle: Point;
  r: number;
  label: string;
  /** What it means: one choice is made, several are narrowed to. */
  choices: Choice[];
  /** How far along the track it is. */
  order: number;
}

type Found = Omit<Aim, "r">;

/** Where a way ends: the middle of its disc, or of the pawn on its step. */
export function landingOf(plan: Plan, view: View, { landing }: Way): Point {
  if (landing !== null) return plan.spots[landing]!;
  const { x, y } = onStep(plan, freeSteps(view)[0] ?? 0);
  return { x, y: y - 0.4 * plan.d };
}

/** The base of the pawn at the end of a way. */
export function baseOf(plan: Plan, view: View, { landing }: Way): Point {
  return landing === null ? onStep(plan, freeSteps(view)[0] ?? 0) : onDisc(plan, landing);
}

/** The words for a pawn that can be moved, and for one of its ways. */
export function pawnWords(view: View, ways: readonly Way[]): string {
  const { pawn } = ways[0]!;
  return ways.length > 1 ? say("pawn.both", { pawn }) : wayWords(view, ways[0]!);
}

export function wayWords(view: View, { pawn, backward, landing }: Way): string {
  if (landing === null) return say("pawn.climb", { pawn, step: freeSteps(view)[0] ?? 0 });
  return backward
    ? say("pawn.backward", { pawn, number: landing })
    : say("pawn.forward", { pawn, number: landing });
}

export function aimsOf(plan: Plan, view: View, ways: readonly Way[], stage: Stage): Aim[] {
  const found = (stage === "pawn" ? pawnAims : stage === "way" ? wayAims : takeAims)(plan, view, ways);
  found.sort((one, other) => one.order - other.order);
  const rs = around(
    found.map(({ middle }) => middle),
    plan.d,
  );
  return found.map((aim, at) => ({ ...aim, r: rs[at]! }));
}

function pawnAims(plan: Plan, view: View, ways: readonly Way[]): Found[] {
  return [...new Set(ways.map(({ pawn }) => pawn))].map((pawn, at) => {
    const own = ways.filter((way) => way.pawn === pawn);
    const { x, y } = standing(plan, view, pawn);
    return {
      key: `pawn ${pawn}`,
      pawn,
      middle: { x, y: y - 0.16 * plan.d },
      label: pawnWords(view, own),
      choices: choicesOf(own),
      order: (placeOf(view, pawn) ?? Infinity) + at / 10,
    };
  });
}

function wayAims(plan: Plan, view: View, ways: readonly Way[]): Found[] {
  return ways.map((way) => ({
    key: `way ${way.backward}`,
    pawn: way.pawn,
    middle: landingOf(plan, view, way),
    label: wayWords(view, way),
    choices: choicesOf([way]),
    order: way.landing ?? Infinity,
  }));
}

function takeAims(plan: Plan, view: View, [way]: readonly Way[]): Found[] {
  return way!.offers.map(({ choice, place }) => ({
    key: `take ${choice.text}`,
    pawn: way!.pawn,
    middle: place === null ? landingOf(plan, view, way!) : plan.spots[place]!,
    label: choice.words,
    choices: [choice],
    order: place ?? way!.landing ?? Infinity,
  }));
}
