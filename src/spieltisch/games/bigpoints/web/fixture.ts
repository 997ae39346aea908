/** Fixture for the tests: a view in the middle of a game. */
import type { View } from "./view";

export const VIEW: View = {
  setup: { edition: "2009", first: 0, options: [], players: 2, rules: 1 },
  viewer: 0,
  phase: "move",
  seat: 0,
  laid: "rgbypwkrgb",
  track: "rgbypwkrgb",
  pawns: [0, 1, 4, 2, null],
  steps: [4, 3, 2, 1, 0].map((value) => ({ value, pawn: value === 4 ? "p" : null })),
  beside: "bryg",
  hands: [
    { size: 4, discs: [0, 0, 0, 0, 2, 1, 1] },
    { size: 3, discs: null },
  ],
  handed_in: 0,
  reach: [
    { pawn: "r", backward: false, landing: 8, ahead: 9, behind: 7 },
    { pawn: "y", backward: false, landing: null, ahead: null, behind: null },
  ],
  outcome: null,
};

export const viewWith = (part: Partial<View>): View => ({ ...VIEW, ...part });
