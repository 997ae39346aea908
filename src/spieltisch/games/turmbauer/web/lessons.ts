/** The first game, one thing at a time. */
import type { Lesson } from "#web/games/props";
import { choosing, ofMode } from "./choosing";
import { readView } from "./tower";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  { when: ({ choices }) => ofMode(choices, "dice").length > 0, text: () => say("lesson.stone") },
  { when: (shown) => choosing(shown).fits.length > 0, text: () => say("lesson.place") },
  { when: (shown) => choosing(shown).now !== null, text: () => say("lesson.build") },
  {
    when: (shown) => readView(shown.view).phase === "move" && choosing(shown).goals.length > 0,
    text: () => say("lesson.move"),
  },
  {
    when: ({ choices }) => choices.some(({ text }) => /^(a\d|[bc]>)/.test(text)),
    text: () => say("lesson.ring"),
  },
  { when: ({ view }) => readView(view).turn >= 6, text: () => say("lesson.end") },
];
