/** Diff of two views. */
import { EMPTY, PAWNS, pawnPlace, type View } from "../view";

export interface PawnWalk {
  pawn: string;
  from: number | null;
  to: number | null;
}

export interface TakenDisc {
  letter: string;
  /** The number on the track; null beside the staircase. */
  place: number | null;
  /** Whose hand it went to; null if unknown. */
  seat: number | null;
}

export interface ViewDiff {
  walks: PawnWalk[];
  taken: TakenDisc[];
  /** The numbers of the discs that are back on the track, after an undo. */
  restored: number[];
  /** Who handed in a black disc. */
  payer: number | null;
}

const MOST_PER_TURN = 2; // pawns that move, and discs that are taken

/** Compares two views; null if nothing changed, or more than one turn, or the game is another one. */
export function diffViews(before: View, after: View): ViewDiff | null {
  if (before.laid !== after.laid || before.hands.length !== after.hands.length) return null;
  const walks = PAWNS.map((pawn) => ({
    pawn,
    from: pawnPlace(before, pawn),
    to: pawnPlace(after, pawn),
  })).filter(({ from, to }) => from !== to);
  const takers = after.hands.flatMap(({ size }, seat) => (size > before.hands[seat]!.size ? [seat] : []));
  // Nobody's hand grows if the taker has handed in a disc in the same turn.
  const seat = takers.length > 1 ? null : (takers[0] ?? before.seat);
  const taken: TakenDisc[] = [];
  const restored: number[] = [];
  [...after.track].forEach((now, at) => {
    const then = before.track[at]!;
    if (then !== now && now === EMPTY) taken.push({ letter: then, place: at + 1, seat });
    else if (then !== now) restored.push(at + 1);
  });
  for (const letter of before.beside)
    if (!after.beside.includes(letter)) taken.push({ letter, place: null, seat });
  if ([walks, taken, restored].some(({ length }) => length > MOST_PER_TURN)) return null;
  const payer = after.handed_in > before.handed_in ? before.seat : null;
  return walks.length || taken.length || restored.length ? { walks, taken, restored, payer } : null;
}
