/** Last turns on the board: the fields that each seat laid on, until it lays again. */
import type { SeatMark } from "#web/log/lines";
import { isCovered, type View } from "../view";

/** A turn as the server marks it. */
interface TurnMark {
  fields: string[];
  points: number;
}

export interface LastTurn extends TurnMark {
  seat: number;
}

/** The last turns whose stones still lie there, without the chain that is drawn anyway. */
export function lastTurns(view: View, marks: readonly SeatMark[], chain: readonly string[]): LastTurn[] {
  const covered = new Set(view.fields.filter(isCovered).map(({ name }) => name));
  return marks
    .map(({ seat, mark }) => ({ seat, ...(mark as TurnMark) }))
    .filter(({ fields }) => fields.every((name) => covered.has(name) && !chain.includes(name)));
}
