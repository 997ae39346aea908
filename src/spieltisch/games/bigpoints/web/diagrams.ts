/** Diagrams of the rules: sections of a track that the reader can try out. */
import type { Diagram } from "#web/games/props";
import type { Choice } from "#web/api/types";
import { describeDestination, groupByDestination } from "./choices";
import type { Reach, View } from "./view";
import { say } from "./words";

const ABSENT = -1; // the place of a pawn that is not in the diagram

function section(track: string, pawns: Record<string, number>, reach: Reach[]): View {
  return {
    setup: { edition: "2009", first: 0, options: [], players: 2, rules: 1 },
    viewer: null,
    phase: reach.some(({ backward }) => backward) ? "extra" : "move",
    seat: 0,
    laid: track.replaceAll(".", "w"),
    track,
    pawns: [..."brygp"].map((letter) => pawns[letter] ?? ABSENT),
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

const MOVE = section("gb.ykprbgp", { b: 2, g: 1, y: 4, p: 6, r: 7 }, [
  { pawn: "b", backward: false, landing: 8, ahead: 9, behind: 5 },
]);
const EXTRA = section("rgby.gwp.gk", { g: 6, y: 4, p: 8 }, [
  { pawn: "g", backward: false, landing: 10, ahead: 11, behind: 7 },
  { pawn: "g", backward: true, landing: 2, ahead: 3, behind: 1 },
]);
const CLIMB: View = {
  ...section("yr.bgp", { r: 2, y: 1, g: 5 }, [
    { pawn: "r", backward: false, landing: null, ahead: null, behind: null },
  ]),
  pawns: [null, 2, 1, 5, ABSENT],
  steps: [
    { value: 4, pawn: "b" },
    { value: 3, pawn: null },
    { value: 2, pawn: null },
    { value: 1, pawn: null },
    { value: 0, pawn: null },
  ],
  beside: "rygp",
};

/** The choices of a diagram, with sentences made here, since no server is asked. */
function makeChoices(view: View, texts: string[]): Choice[] {
  return texts.map((text) => {
    const [destination] = groupByDestination(view, [{ text, words: "", paths: [], ends: false }]);
    const disc = destination?.options[0]?.disc;
    const words = [
      destination ? describeDestination(view, destination) : "",
      disc ? say("take", { disc }) : "",
    ];
    return { text, words: words.filter(Boolean).join(", "), paths: [], ends: false };
  });
}

function diagram(after: number, view: View, texts: string[], words: () => string): Diagram {
  return {
    after,
    view,
    get choices() {
      return makeChoices(view, texts); // in the reader's current language
    },
    caption: words,
  };
}

export const DIAGRAMS: Diagram[] = [
  diagram(5, MOVE, ["b+", "b-"], () => say("diagram.move")),
  diagram(5, CLIMB, ["r^"], () => say("diagram.climb")),
  diagram(6, EXTRA, ["*g+", "*g-", "*g<+", "*g<-"], () => say("diagram.extra")),
];
