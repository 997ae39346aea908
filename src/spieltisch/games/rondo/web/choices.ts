/** Choice parser and selection: the choices that are left after stones of the rack or a field were selected. */
import type { Choice } from "#web/api/types";
import { LETTERS, RACK_SIZE, type Letter } from "./view";

/** A choice that places stones of one colour on a field. */
export interface Placement {
  choice: Choice;
  field: string;
  letter: Letter;
  count: number;
  faceDown: boolean;
}

export type Selection =
  | { kind: "none" }
  | { kind: "stones"; letter: Letter; count: number; faceDown: boolean }
  | { kind: "field"; field: string };

/** Whether a field takes a stone face up, or only face down as a bridge. */
export type Highlight = "up" | "down";

/** Parses a placement; null for passing and for ending the turn. */
export function parsePlacement(choice: Choice): Placement | null {
  const [field, stones] = choice.text.split(":");
  if (!field || !stones) return null;
  const letter = stones[0]!.toUpperCase() as Letter;
  return { choice, field, letter, count: stones.length, faceDown: stones[0] !== letter };
}

const parsePlacements = (choices: readonly Choice[]): Placement[] =>
  choices.flatMap((choice) => parsePlacement(choice) ?? []);

const choicesOf = (placements: Placement[]): Choice[] => placements.map(({ choice }) => choice);

/** The choices for some stones of a colour; a single stone may also go face down, or only so if asked for. */
export function choicesWithStones(
  choices: readonly Choice[],
  letter: Letter,
  count: number,
  faceDown: boolean,
): Choice[] {
  return choicesOf(
    parsePlacements(choices).filter(
      (one) => one.letter === letter && one.count === count && (one.faceDown || !faceDown),
    ),
  );
}

/** The choices for a field. */
export function choicesOnField(choices: readonly Choice[], field: string): Choice[] {
  return choicesOf(parsePlacements(choices).filter((one) => one.field === field));
}

const isSame = (one: readonly Choice[], other: readonly Choice[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => other[at]!.text === text);

/** Infers the selection from the narrowed choices, which are the only state that is kept. */
export function inferSelection(choices: readonly Choice[], narrowed: readonly Choice[] | null): Selection {
  const first = narrowed?.[0] && parsePlacement(narrowed[0]);
  if (!narrowed || !first) return { kind: "none" };
  for (const letter of LETTERS) {
    for (const faceDown of [true, false])
      if (isSame(choicesWithStones(choices, letter, 1, faceDown), narrowed))
        return { kind: "stones", letter, count: 1, faceDown };
    for (let count = 2; count <= RACK_SIZE; count++)
      if (isSame(choicesWithStones(choices, letter, count, false), narrowed))
        return { kind: "stones", letter, count, faceDown: false };
  }
  return { kind: "field", field: first.field };
}

/** The fields to highlight. */
export function highlightFields(
  choices: readonly Choice[],
  narrowed: readonly Choice[] | null,
): Map<string, Highlight> {
  const found = new Map<string, Highlight>();
  for (const { field, faceDown } of parsePlacements(narrowed ?? choices))
    if (!faceDown) found.set(field, "up");
    else if (!found.has(field)) found.set(field, "down");
  return found;
}

/** The choices left after a field is selected: a single one is chosen, several are decided between. */
export function selectField(
  choices: readonly Choice[],
  narrowed: readonly Choice[] | null,
  field: string,
): Choice[] {
  const found = choicesOnField(narrowed ?? choices, field);
  const hasStones = inferSelection(choices, narrowed).kind === "stones";
  return hasStones ? found.slice(0, 1) : found; // face up comes first
}

/** The choices left after a stone of the rack is pressed: it joins the selected stones of its colour, replaces others, or leaves. */
export function toggleStone(
  choices: readonly Choice[],
  narrowed: Choice[] | null,
  letter: Letter,
  selected: boolean,
): Choice[] | null {
  const selection = inferSelection(choices, narrowed);
  const before = selection.kind === "stones" && selection.letter === letter ? selection.count : 0;
  const count = selected ? before - 1 : before + 1;
  if (count === 0) return null;
  const found = choicesWithStones(choices, letter, count, false);
  return found.length ? found : narrowed;
}
