/** Diagrams of the rules: sections of a track that the reader can try out. */
import type { Diagram, Figure } from "#web/games/props";
import type { Choice } from "#web/api/types";
import { describeDestination, groupByDestination } from "./choices";
import figures from "./figures.json";
import type { View } from "./view";
import { say } from "./words";

const FIGURES: Record<string, Figure> = figures;
const ABSENT = -1; // the place of a pawn that is not in the section

/** The part of a view between two places of the track, with the moves of one pawn. */
function cutSection(view: View, from: number, to: number, mover: string | null): View {
  const shift = (place: number | null): number | null => (place === null ? null : place - from + 1);
  const inside = (place: number): number => (place < from || place > to ? ABSENT : place - from + 1);
  const atEnd = to === view.track.length;
  return {
    ...view,
    laid: view.laid.slice(from - 1, to),
    track: view.track.slice(from - 1, to),
    pawns: view.pawns.map((place) => (place === null ? (atEnd ? null : ABSENT) : inside(place))),
    steps: atEnd ? view.steps : [],
    beside: atEnd ? view.beside : "",
    reach: view.reach
      .filter(({ pawn }) => pawn === mover)
      .map((reach) => ({
        ...reach,
        landing: shift(reach.landing),
        ahead: shift(reach.ahead),
        behind: shift(reach.behind),
      })),
  };
}

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

function diagram(
  name: string,
  from: number,
  to: number,
  mover: string | null,
  caption: () => string,
): Diagram {
  const { view: whole, choices, draft } = FIGURES[name]!;
  const view = cutSection(whole as View, from, to, mover);
  const texts = choices.filter((text) => text.replace("*", "")[0] === mover);
  return {
    name,
    view,
    draft,
    get choices() {
      return makeChoices(view, texts); // in the reader's current language
    },
    caption,
  };
}

export const DIAGRAMS: Diagram[] = [
  diagram("move", 1, 13, "b", () => say("diagram.move")),
  diagram("climb", 46, 55, "r", () => say("diagram.climb")),
  diagram("extra", 39, 49, "g", () => say("diagram.extra")),
  diagram("score", 50, 55, null, () => say("diagram.score")),
];
