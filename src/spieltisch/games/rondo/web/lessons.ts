/** Lessons: the first game, explained while it is played. */
import type { Lesson } from "#web/games/props";
import { inferSelection } from "./choices";
import type { View } from "./view";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  { when: ({ choices }) => choices.length > 0, text: () => say("lesson.stone") },
  {
    when: ({ choices, narrowed }) => inferSelection(choices, narrowed).kind !== "none",
    text: () => say("lesson.field"),
  },
  { when: ({ draft }) => draft.length > 0, text: () => say("lesson.chain") },
  {
    when: ({ choices }) => choices.some(({ text }) => text === "pass"),
    text: () => say("lesson.pass"),
  },
  {
    when: ({ view, draft }) => !draft.length && (view as View).scores.some((points) => points > 0),
    text: () => say("lesson.grey"),
  },
];
