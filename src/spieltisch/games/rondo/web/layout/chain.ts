/** The chain of a turn: its fields, the field it is attached to, and its points. */
import type { GameEvent } from "#web/games/props";
import { CENTRE, isCovered, type Field, type View } from "../view";
import { say } from "../words";

/** The field of a placement in notation; null for any other text. */
export const parseField = (text: string): string | null => (text.includes(":") ? text.split(":")[0]! : null);

/** The chain of the last turn in which stones were placed; empty after an undo. */
export function lastChain(events: readonly GameEvent[]): string[] {
  const fields: string[] = [];
  let seat: number | null = null;
  for (const event of events.toReversed()) {
    if (event.kind === "undo") return [];
    if (event.kind !== "move") continue;
    const field = parseField(event.text);
    if (!field && !fields.length) continue;
    if (!field || (seat !== null && seat !== event.seat)) break;
    seat = event.seat;
    fields.unshift(field);
  }
  return fields;
}

const coveredFields = (view: View): Set<string> =>
  new Set(view.fields.filter(isCovered).map(({ name }) => name));

/** The chain to draw: that of the draft, or else the last one; empty if its stones are gone. */
export function currentChain(view: View, draft: readonly string[], events: readonly GameEvent[]): string[] {
  const chain = draft.flatMap((text) => parseField(text) ?? []);
  if (chain.length) return chain;
  const last = lastChain(events);
  const covered = coveredFields(view);
  return last.every((name) => covered.has(name)) ? last : [];
}

/** The field that the chain is attached to: the centre, or a covered neighbour of its first field. */
export function chainAnchor(
  view: View,
  chain: readonly string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
): string | null {
  const beside = chain[0] ? (neighbours.get(chain[0]) ?? []) : [];
  if (beside.includes(CENTRE)) return CENTRE;
  const covered = coveredFields(view);
  return beside.find((name) => covered.has(name) && !chain.includes(name)) ?? null;
}

export interface ChainTerm {
  field: Field;
  points: number;
}

/** The points of each field of the chain; a bridge scores nothing. */
export function chainTerms(view: View, chain: readonly string[]): ChainTerm[] {
  return chain.flatMap((name) => {
    const field = view.fields.find((one) => one.name === name);
    return field ? [{ field, points: field.face_up * field.value }] : [];
  });
}

export const chainPoints = (terms: readonly ChainTerm[]): number =>
  terms.reduce((sum, { points }) => sum + points, 0);

/** Formats the sum in full: "3 + 2 × 5 = 13 points". */
export function formatSum(terms: readonly ChainTerm[]): string {
  const parts = terms
    .filter(({ points }) => points)
    .map(({ field }) => (field.face_up > 1 ? `${field.face_up} × ${field.value}` : `${field.value}`));
  if (!parts.length) return say("points.none");
  const points = say("points", { points: chainPoints(terms) });
  return parts.length > 1 || parts[0]?.includes("×") ? `${parts.join(" + ")} = ${points}` : points;
}
