/** The first game, one thing at a time. */
import type { Lesson } from "#web/games/props";
import { pickedIn } from "./pick";
import { readView } from "./stones";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  { when: ({ choices }) => choices.length > 0, text: () => say("lesson.stone") },
  {
    when: ({ choices, narrowed }) => pickedIn(choices, narrowed).kind !== "nothing",
    text: () => say("lesson.field"),
  },
  { when: ({ draft }) => draft.length > 0, text: () => say("lesson.chain") },
  {
    when: ({ choices }) => choices.some(({ text }) => text === "pass"),
    text: () => say("lesson.pass"),
  },
  {
    when: ({ view, draft }) => !draft.length && readView(view).scores.some((points) => points > 0),
    text: () => say("lesson.grey"),
  },
];
