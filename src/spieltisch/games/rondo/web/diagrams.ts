/** Diagrams of the rules. */
import type { Diagram, Figure } from "#web/games/props";
import figures from "./figures.json";
import { say } from "./words";

const FIGURES: Record<string, Figure> = figures;

function diagram(name: string, caption: () => string): Diagram {
  const { choices, ...figure } = FIGURES[name]!;
  const laying = choices.filter((text) => text.includes(":"));
  return {
    name,
    ...figure,
    choices: laying.map((text) => ({ text, words: "", paths: [], ends: false })),
    caption,
  };
}

export const DIAGRAMS: Diagram[] = [
  diagram("start", () => say("figure.start")),
  diagram("chain", () => say("figure.chain")),
  diagram("branch", () => say("figure.branch")),
  diagram("bridge", () => say("figure.bridge")),
  diagram("end", () => say("figure.end")),
];
