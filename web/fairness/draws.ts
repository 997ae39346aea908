/** Recomputes every draw of a recorded game from the secret and the nonces. */
import type { Chance, ChanceModel } from "./chance";
import type { RecordedAction, RecordedGame } from "./record";
import { FairSource } from "./source";

export interface Draw extends Chance {
  drawn: string;
  /** The index of its line in the log. */
  entry: number;
}

/** Every draw of a game, in the order of their numbers; draws that were undone keep theirs. */
export function listDraws(game: RecordedGame, model: ChanceModel): Draw[] {
  const draws: Draw[] = [];
  const path: RecordedAction[] = [];
  for (const [at, entry] of game.entries.entries()) {
    if ("undone" in entry) {
      path.splice(path.length - entry.undone);
      continue;
    }
    const chance = entry.seat === null ? model(game, path, entry.text) : null;
    // a chance with a single possibility uses no number, if that is what came
    if (chance && !(chance.texts.length === 1 && chance.texts[0] === entry.text))
      draws.push({ ...chance, drawn: entry.text, entry: at });
    path.push(entry);
  }
  return draws;
}

export interface RecomputedGame {
  draws: number;
  /** The number of the first draw that does not follow from the secret and the nonces. */
  wrongDraw: number | null;
  /** Whether the starting seat is the one that was drawn; null if it was agreed on. */
  starter: boolean | null;
}

/** Recomputes a game; `index` is its place in the match. */
export function recompute(
  game: RecordedGame,
  index: number,
  secret: string,
  model: ChanceModel,
): RecomputedGame {
  const source = new FairSource(secret, game.nonces, index);
  const draws = listDraws(game, model);
  const wrong = draws.findIndex(
    ({ texts, weights, drawn }, number) => texts[source.pick(number, weights)] !== drawn,
  );
  return {
    draws: draws.length,
    wrongDraw: wrong < 0 ? null : wrong,
    starter: game.drawn ? source.first(game.players) === game.first : null,
  };
}
