/** What chance can draw in a game: each game says it in its own `chance.ts`, so that the browser need not believe the server. */
import type { RecordedAction, RecordedGame } from "./record";

export interface Chance {
  /** The possibilities in notation, in the canonical order. */
  texts: readonly string[];
  weights: readonly number[];
}

/**
 * What chance could draw when it drew `text`; null for a verdict of the judge, which is not drawn.
 * `path` are the actions before it that were not undone.
 */
export type ChanceModel = (
  game: RecordedGame,
  path: readonly RecordedAction[],
  text: string,
) => Chance | null;

/** Draws without replacement: from a bag of pieces, those that chance has not drawn yet. */
export function drawFromBag(
  pieces: Readonly<Record<string, number>>,
  path: readonly RecordedAction[],
): Chance {
  const left = new Map(Object.entries(pieces));
  for (const { seat, text } of path) if (seat === null) left.set(text, (left.get(text) ?? 0) - 1);
  const there = [...left].filter(([, count]) => count > 0);
  return { texts: there.map(([text]) => text), weights: there.map(([, count]) => count) };
}
