/** Positions shown in the rules. */
import type { Diagram } from "#web/games/props";
import type { Choice, TurmbauerPhase, TurmbauerView } from "#web/api/types";
import { placeOf, type Point } from "./tower";
import { say } from "./words";

/** A position in a few words: stones as "R 4l@…", pawns by colour, and whose turn it is. */
interface Told {
  stones: string[];
  pawns?: Record<string, Point>;
  colour?: string;
  phase?: TurmbauerPhase;
  place?: string;
}

export function told({ stones, pawns = {}, colour = "R", phase = "place", place = "" }: Told): TurmbauerView {
  return {
    setup: { edition: "standard", first: 0, options: [], players: 4, rules: 1 },
    viewer: null,
    phase,
    turn: stones.length,
    colour,
    seat: 0,
    roll: null,
    chosen: null,
    ring: "",
    place: placeOf(place) ?? [],
    tremor: "",
    ruled_out: [],
    tower: stones.map((text) => {
      const [owner = "", kind = "", cells = ""] = text.split(/[ @]/);
      return { colour: owner, kind, cells: placeOf(`@${cells}`) ?? [] };
    }),
    sides: [..."RBGK"].map((letter, seat) => ({
      colour: letter,
      seat,
      stock: [],
      box: [],
      rings: 2,
      pawn: pawns[letter] ?? null,
      height: (pawns[letter]?.z ?? -1) + 1,
    })),
    fallen: 0,
    reconstructed: true,
    outcome: null,
  };
}

const FIRST = [
  "R 4l@-1,-1,0;0,-1,0;1,-1,0;-1,0,0",
  "B 3v@2,0,0;2,1,0;2,0,1",
  "G 4i@0,0,1;0,1,1;0,2,1;0,-1,1",
];
const choice = (text: string): Choice => ({ text, words: "", paths: [], ends: false });

export const DIAGRAMS: Diagram[] = [
  { after: 4, view: told({ stones: [] }), caption: () => say("figure.start") },
  {
    after: 9,
    view: told({ stones: FIRST, place: "@1,0,1;1,1,1;1,2,1" }),
    caption: () => say("figure.build"),
  },
  {
    after: 15,
    view: told({
      stones: [...FIRST, "K 3i@1,0,1;1,1,1;1,2,1"],
      pawns: { R: { x: -1, y: 0, z: 0 }, B: { x: 2, y: 0, z: 1 } },
      phase: "move",
    }),
    choices: [">table", ">-1,-1,1", ">1,-1,1", ">2,1,1", ">0,0,2", ">1,1,2"].map(choice),
    caption: () => say("figure.move"),
  },
];
