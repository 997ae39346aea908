/** Diagrams of the rules. */
import type { Diagram } from "#web/games/props";
import type { Choice, TurmbauerPhase } from "#web/api/types";
import { parseCells } from "./choices/notation";
import type { Cell, View } from "./view";
import { say } from "./words";

/** A short description of a position: stones as "R 4l@…", pawns by colour, and whose turn it is. */
interface PositionSpec {
  stones: string[];
  pawns?: Record<string, Cell>;
  colour?: string;
  phase?: TurmbauerPhase;
  place?: string;
}

function createView({ stones, pawns = {}, colour = "R", phase = "place", place = "" }: PositionSpec): View {
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
    place: parseCells(place) ?? [],
    tremor: "",
    ruled_out: [],
    tower: stones.map((text) => {
      const [owner = "", kind = "", cells = ""] = text.split(/[ @]/);
      return { colour: owner, kind, cells: parseCells(`@${cells}`) ?? [] };
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
  { after: 4, view: createView({ stones: [] }), caption: () => say("figure.start") },
  {
    after: 9,
    view: createView({ stones: FIRST, place: "@1,0,1;1,1,1;1,2,1" }),
    caption: () => say("figure.build"),
  },
  {
    after: 15,
    view: createView({
      stones: [...FIRST, "K 3i@1,0,1;1,1,1;1,2,1"],
      pawns: { R: { x: -1, y: 0, z: 0 }, B: { x: 2, y: 0, z: 1 } },
      phase: "move",
    }),
    choices: [">table", ">-1,-1,1", ">1,-1,1", ">2,1,1", ">0,0,2", ">1,1,2"].map(choice),
    caption: () => say("figure.move"),
  },
];
