/** Lessons: the first game, explained while it is played. */
import type { Lesson } from "#web/games/props";
import { readSelection, stoneChoices } from "./choices/selection";
import type { View } from "./view";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  { when: ({ choices }) => stoneChoices(choices, "dice").length > 0, text: () => say("lesson.stone") },
  { when: (props) => readSelection(props).placements.length > 0, text: () => say("lesson.place") },
  { when: (props) => readSelection(props).placement !== null, text: () => say("lesson.build") },
  {
    when: (props) => (props.view as View).phase === "move" && readSelection(props).destinations.length > 0,
    text: () => say("lesson.move"),
  },
  {
    when: ({ choices }) => choices.some(({ text }) => /^(a\d|[bc]>)/.test(text)),
    text: () => say("lesson.ring"),
  },
  { when: ({ view }) => (view as View).turn >= 6, text: () => say("lesson.end") },
];
