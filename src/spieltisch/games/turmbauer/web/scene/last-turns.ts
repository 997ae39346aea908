/** Last turns on the board: the stone that each seat built and the cube to which its pawn walked. */
import type { SeatMark } from "#web/log/lines";
import type { Marker } from "./markers";
import { isSameCell, type Cell, type View } from "../view";

type Triple = [number, number, number];

/** A turn as the server marks it. */
interface TurnMark {
  colour: string;
  stone: Triple[] | null;
  pawn: Triple | null;
}

const toCell = ([x, y, z]: Triple): Cell => ({ x, y, z });

/** The stones of last turns that are still part of the tower. */
export function lastStones(view: View, marks: readonly SeatMark[]): Cell[][] {
  const built = view.tower.flatMap(({ cells }) => cells);
  return marks
    .map(({ mark }) => ((mark as TurnMark).stone ?? []).map(toCell))
    .filter((cells) => cells.length && cells.every((cell) => built.some((one) => isSameCell(one, cell))));
}

/** The fields to which pawns walked in last turns and where they still stand. */
export function lastWalks(view: View, marks: readonly SeatMark[]): Marker[] {
  return marks.flatMap(({ mark }) => {
    const { colour, pawn } = mark as TurnMark;
    const field = pawn && toCell(pawn);
    const stands = view.sides.find((side) => side.colour === colour)?.pawn ?? null;
    return field && isSameCell(field, stands) ? [{ field, kind: "last" as const }] : [];
  });
}
