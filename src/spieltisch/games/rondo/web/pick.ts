/** What of the choices is meant, after a stone of the rack or a field was pointed at. */
import type { Choice } from "#web/api/types";
import { LETTERS, type Letter } from "./stones";

export interface Lay {
  choice: Choice;
  field: string;
  letter: Letter;
  number: number;
  down: boolean;
}

export type Picked =
  | { kind: "nothing" }
  | { kind: "stones"; letter: Letter; number: number; down: boolean }
  | { kind: "field"; field: string };

export type Light = "up" | "down";

/** What a choice lays; null for passing and ending. */
export function layOf(choice: Choice): Lay | null {
  const [field, stones] = choice.text.split(":");
  if (!field || !stones) return null;
  const letter = stones[0]!.toUpperCase() as Letter;
  return { choice, field, letter, number: stones.length, down: stones[0] !== letter };
}

const lays = (choices: readonly Choice[]): Lay[] => choices.flatMap((choice) => layOf(choice) ?? []);

const only = (found: Lay[]): Choice[] => found.map(({ choice }) => choice);

/** Where so many stones of a colour can go: a single one also face down, or only so. */
export function withStones(
  choices: readonly Choice[],
  letter: Letter,
  number: number,
  down: boolean,
): Choice[] {
  return only(
    lays(choices).filter((lay) => lay.letter === letter && lay.number === number && (lay.down || !down)),
  );
}

/** What can be laid on a field. */
export function onField(choices: readonly Choice[], field: string): Choice[] {
  return only(lays(choices).filter((lay) => lay.field === field));
}

const same = (one: readonly Choice[], other: readonly Choice[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => other[at]!.text === text);

/** What was pointed at, read from the choices that are left. */
export function pickedIn(choices: readonly Choice[], narrowed: readonly Choice[] | null): Picked {
  const first = narrowed?.[0] && layOf(narrowed[0]);
  if (!narrowed || !first) return { kind: "nothing" };
  for (const letter of LETTERS) {
    for (const down of [true, false])
      if (same(withStones(choices, letter, 1, down), narrowed))
        return { kind: "stones", letter, number: 1, down };
    for (let number = 2; number <= 5; number++)
      if (same(withStones(choices, letter, number, false), narrowed))
        return { kind: "stones", letter, number, down: false };
  }
  return { kind: "field", field: first.field };
}

/** The fields that can be laid on, and whether face up or only by a bridge. */
export function lights(choices: readonly Choice[], narrowed: readonly Choice[] | null): Map<string, Light> {
  const found = new Map<string, Light>();
  for (const { field, down } of lays(narrowed ?? choices))
    if (!down) found.set(field, "up");
    else if (!found.has(field)) found.set(field, "down");
  return found;
}

/** What pointing at a field does: one choice to make, or several to decide between. */
export function pointAt(
  choices: readonly Choice[],
  narrowed: readonly Choice[] | null,
  field: string,
): Choice[] {
  const found = onField(narrowed ?? choices, field);
  const stones = pickedIn(choices, narrowed).kind === "stones";
  return stones ? found.slice(0, 1) : found; // face up comes first
}

/** The choices left after a stone of the rack was tapped: it is added to its like, taken alone, or put back. */
export function tapStone(
  choices: readonly Choice[],
  narrowed: Choice[] | null,
  letter: Letter,
  raised: boolean,
): Choice[] | null {
  const picked = pickedIn(choices, narrowed);
  const held = picked.kind === "stones" && picked.letter === letter ? picked.number : 0;
  const number = raised ? held - 1 : held + 1;
  if (number === 0) return null;
  const found = withStones(choices, letter, number, false);
  return found.length ? found : narrowed;
}
