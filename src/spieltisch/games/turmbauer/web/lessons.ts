/** Lessons: the first game, explained while it is played. */
import type { Lesson } from "#web/games/props";
import { readSelection, stoneChoices } from "./choices/selection";
import type { View } from "./view";
import { say } from "./words";

export const LESSONS: Lesson[] = [
  {
    name: "aim",
    when: ({ choices }) => stoneChoices(choices, "dice").length > 0,
    text: () => say("lesson.aim"),
    target: ".tray .stone.lit",
  },
  {
    name: "place",
    when: (props) => readSelection(props).placements.length > 0 && readSelection(props).placement === null,
    text: () => say("lesson.place"),
  },
  {
    name: "build",
    when: (props) => readSelection(props).placement !== null,
    text: () => say("lesson.build"),
    target: ".tray .build",
  },
  {
    name: "move",
    when: (props) => (props.view as View).phase === "move" && readSelection(props).destinations.length > 0,
    text: () => say("lesson.move"),
  },
  {
    name: "ring",
    when: ({ choices }) => choices.some(({ text }) => /^(a\d|[bc]>)/.test(text)),
    text: () => say("lesson.ring"),
  },
  { name: "end", when: ({ view }) => (view as View).turn >= 6, text: () => say("lesson.end") },
];
