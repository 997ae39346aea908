/** Positions in the rules: pieces of a track that can be pointed at. */
import type { Diagram } from "#web/games/props";
import type { Choice } from "#web/api/types";
import { waysOf, type Reach, type View } from "./reading";
import { wayWords } from "./targets";
import { say } from "./words";

const NOWHERE = -1; // for a pawn that has no part in the picture

function piece(track: string, pawns: Record<string, number>, reach: Reach[]): View {
  return {
    setup: { edition: "2009", first: 0, options: [], players: 2, rules: 1 },
    viewer: null,
    phase: reach.some(({ backward }) => backward) ? "extra" : "move",
    seat: 0,
    laid: track.replaceAll(".", "w"),
    track,
    pawns: [..."brygp"].map((letter) => pawns[letter] ?? NOWHERE),
    steps: [],
    beside: "",
    hands: [
      { size: 0, discs: null },
      { size: 0, discs: null },
    ],
    handed_in: 0,
    reach,
    outcome: null,
  };
}

const MOVE = piece("gb.ykprbgp", { b: 2, g: 1, y: 4, p: 6, r: 7 }, [
  { pawn: "b", backward: false, landing: 8, ahead: 9, behind: 5 },
]);
const EXTRA = piece("rgby.gwp.gk", { g: 6, y: 4, p: 8 }, [
  { pawn: "g", backward: false, landing: 10, ahead: 11, behind: 7 },
  { pawn: "g", backward: true, landing: 2, ahead: 3, behind: 1 },
]);
const CLIMB: View = {
  ...piece("yr.bgp", { r: 2, y: 1, g: 5 }, [
    { pawn: "r", backward: false, landing: null, ahead: null, behind: null },
  ]),
  pawns: [null, 2, 1, 5, NOWHERE],
  steps: [
    { value: 4, pawn: "b" },
    { value: 3, pawn: null },
    { value: 2, pawn: null },
    { value: 1, pawn: null },
    { value: 0, pawn: null },
  ],
  beside: "rygp",
};

/** What can be chosen there, in words that the picture needs no server for. */
function choices(view: View, texts: string[]): Choice[] {
  return texts.map((text) => {
    const [way] = waysOf(view, [{ text, words: "", paths: [] }]);
    const disc = way?.offers[0]?.disc;
    const words = [way ? wayWords(view, way) : "", disc ? say("take", { disc }) : ""];
    return { text, words: words.filter(Boolean).join(", "), paths: [] };
  });
}

function diagram(after: number, view: View, texts: string[], words: () => string): Diagram {
  return {
    after,
    view,
    get choices() {
      return choices(view, texts); // in the language of the reader
    },
    caption: words,
  };
}

export const DIAGRAMS: Diagram[] = [
  diagram(5, MOVE, ["b+", "b-"], () => say("diagram.move")),
  diagram(5, CLIMB, ["r^"], () => say("diagram.climb")),
  diagram(6, EXTRA, ["*g+", "*g-", "*g<+", "*g<-"], () => say("diagram.extra")),
];
