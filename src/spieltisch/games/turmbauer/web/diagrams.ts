/** Diagrams of the rules. */
import type { Diagram, Figure } from "#web/games/props";
import figures from "./figures.json";
import { say } from "./words";

const FIGURES: Record<string, Figure> = figures;

/** A diagram with the moves that need no ring. */
function diagram(name: string, caption: () => string): Diagram {
  const { choices, ...figure } = FIGURES[name]!;
  const moves = choices.filter((text) => text.startsWith(">"));
  return {
    name,
    ...figure,
    choices: moves.map((text) => ({ text, words: "", paths: [], ends: false })),
    caption,
  };
}

export const DIAGRAMS: Diagram[] = [
  diagram("start", () => say("figure.start")),
  diagram("build", () => say("figure.build")),
  diagram("move", () => say("figure.move")),
];
