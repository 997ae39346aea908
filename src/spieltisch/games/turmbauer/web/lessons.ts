/** The first game, one thing at a time. */
import type { Lesson } from "#web/games.svelte";
import { choosing, ofMode } from "./choosing";
import { readView } from "./tower";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  { when: ({ choices }) => ofMode(choices, "dice").length > 0, say: () => say("lesson.stone") },
  { when: (shown) => choosing(shown).fits.length > 0, say: () => say("lesson.place") },
  { when: (shown) => choosing(shown).now !== null, say: () => say("lesson.build") },
  {
    when: (shown) => readView(shown.view).phase === "move" && choosing(shown).goals.length > 0,
    say: () => say("lesson.move"),
  },
  {
    when: ({ choices }) => choices.some(({ text }) => /^(a\d|[bc]>)/.test(text)),
    say: () => say("lesson.ring"),
  },
  { when: ({ view }) => readView(view).turn >= 6, say: () => say("lesson.end") },
];
