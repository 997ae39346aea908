/** The chain of a turn: its fields, where it starts from, and what it is worth. */
import type { GameEvent } from "#web/games/props";
import type { RondoField, RondoView } from "#web/api/types";
import { CENTRE, covered } from "./stones";
import { say } from "./words";

export const fieldIn = (text: string): string | null => (text.includes(":") ? text.split(":")[0]! : null);

/** The fields laid on in the last turn in which something was laid. */
export function latest(events: readonly GameEvent[]): string[] {
  const found: string[] = [];
  let seat: number | null = null;
  for (const event of events.toReversed()) {
    if (event.kind === "undo") return [];
    if (event.kind !== "move") continue;
    const field = fieldIn(event.text);
    if (!field && !found.length) continue;
    if (!field || (seat !== null && seat !== event.seat)) break;
    seat = event.seat;
    found.unshift(field);
  }
  return found;
}

/** The chain to be drawn: the one being drafted, or else the last one; empty where it was taken back. */
export function chainOf(view: RondoView, draft: readonly string[], events: readonly GameEvent[]): string[] {
  const chain = draft.flatMap((text) => fieldIn(text) ?? []);
  if (chain.length) return chain;
  const found = latest(events);
  const lying = new Set(view.fields.filter(covered).map(({ name }) => name));
  return found.every((name) => lying.has(name)) ? found : [];
}

/** An occupied field beside the first of the chain, or the centre. */
export function anchorOf(
  view: RondoView,
  chain: readonly string[],
  near: ReadonlyMap<string, readonly string[]>,
): string | null {
  const beside = chain[0] ? (near.get(chain[0]) ?? []) : [];
  if (beside.includes(CENTRE)) return CENTRE;
  const lying = new Set(view.fields.filter(covered).map(({ name }) => name));
  return beside.find((name) => lying.has(name) && !chain.includes(name)) ?? null;
}

export interface Term {
  field: RondoField;
  points: number;
}

/** What each field of the chain scores; a bridge nothing. */
export function termsOf(view: RondoView, chain: readonly string[]): Term[] {
  return chain.flatMap((name) => {
    const field = view.fields.find((one) => one.name === name);
    return field ? [{ field, points: field.face_up * field.value }] : [];
  });
}

export const worth = (terms: readonly Term[]): number => terms.reduce((sum, { points }) => sum + points, 0);

/** The sum in full: "3 + 2 × 5 = 13 points". */
export function sumOf(terms: readonly Term[]): string {
  const parts = terms
    .filter(({ points }) => points)
    .map(({ field }) => (field.face_up > 1 ? `${field.face_up} × ${field.value}` : `${field.value}`));
  if (!parts.length) return say("points.none");
  const points = say("points", { points: worth(terms) });
  return parts.length > 1 || parts[0]?.includes("×") ? `${parts.join(" + ")} = ${points}` : points;
}
