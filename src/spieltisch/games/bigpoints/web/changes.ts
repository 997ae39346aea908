/** What happened between two views. */
import { GONE, PAWNS, placeOf, type View } from "./reading";

export interface Walk {
  pawn: string;
  from: number | null;
  to: number | null;
}

export interface Taken {
  letter: string;
  /** The number on the track; null beside the staircase. */
  place: number | null;
  /** Whose hand it went to; null where that is not known. */
  seat: number | null;
}

export interface Changes {
  walks: Walk[];
  taken: Taken[];
  back: number[]; // discs that lie on the track again
  /** Who handed in a black disc. */
  payer: number | null;
}

const MOST = 2; // pawns that move in a turn, and discs that are taken

/** What happened; null where it was nothing, or more than a turn, or another game. */
export function changesOf(before: View, after: View): Changes | null {
  if (before.laid !== after.laid || before.hands.length !== after.hands.length) return null;
  const walks = PAWNS.map((pawn) => ({
    pawn,
    from: placeOf(before, pawn),
    to: placeOf(after, pawn),
  })).filter(({ from, to }) => from !== to);
  const takers = after.hands.flatMap(({ size }, seat) => (size > before.hands[seat]!.size ? [seat] : []));
  // Who hands in a disc and takes one holds as many as before.
  const seat = takers.length > 1 ? null : (takers[0] ?? before.seat);
  const taken: Taken[] = [];
  const back: number[] = [];
  [...after.track].forEach((now, at) => {
    const then = before.track[at]!;
    if (then !== now && now === GONE) taken.push({ letter: then, place: at + 1, seat });
    else if (then !== now) back.push(at + 1);
  });
  for (const letter of before.beside)
    if (!after.beside.includes(letter)) taken.push({ letter, place: null, seat });
  if (walks.length > MOST || taken.length > MOST || back.length > MOST) return null;
  const payer = after.handed_in > before.handed_in ? before.seat : null;
  return walks.length || taken.length || back.length ? { walks, taken, back, payer } : null;
}
