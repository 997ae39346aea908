/** The colours of the seats: one each, or two each at a table of two. */
import type { SeatColour } from "#web/games/props";
import { colourOf } from "./view";
import { say } from "./words";

const LETTERS = ["R", "B", "G", "K"];

export function seatColours(players: number): SeatColour[] {
  const sides = players === 2 ? LETTERS.length : players;
  return Array.from({ length: players }, (_, seat) => {
    const own = LETTERS.slice(0, sides).filter((_letter, side) => side % players === seat);
    return { paints: own.map(colourOf), words: say("side", { colours: own.join("").toLowerCase() }) };
  });
}
