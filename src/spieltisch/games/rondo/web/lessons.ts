/** Lessons: the first game, explained while it is played. */
import type { BoardProps, Lesson } from "#web/games/props";
import { inferSelection } from "./choices";
import type { View } from "./view";
import { say } from "./words";

const isSelected = ({ choices, narrowed }: BoardProps): boolean =>
  inferSelection(choices, narrowed).kind !== "none";
/** Whether two stones can be laid on one field together. */
const hasPair = ({ choices }: BoardProps): boolean => choices.some(({ text }) => /:([A-Z])\1/.test(text));

export const LESSONS: Lesson[] = [
  {
    name: "aim",
    when: (props) => props.choices.length > 0 && !props.draft.length && !isSelected(props),
    text: () => say("lesson.aim"),
    target: ".tray .slot:enabled",
  },
  { name: "stone", when: isSelected, text: () => say("lesson.stone"), target: ".board [data-field].lit" },
  { name: "chain", when: ({ draft }) => draft.length > 0, text: () => say("lesson.chain") },
  {
    name: "several",
    when: (props) => !props.draft.length && !isSelected(props) && hasPair(props),
    text: () => say("lesson.several"),
  },
  {
    name: "pass",
    when: ({ choices }) => choices.some(({ text }) => text === "pass"),
    text: () => say("lesson.pass"),
  },
  {
    name: "grey",
    when: ({ view, draft }) => !draft.length && (view as View).scores.some((points) => points > 0),
    text: () => say("lesson.grey"),
  },
];
