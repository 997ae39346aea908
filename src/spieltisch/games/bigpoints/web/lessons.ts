/** Lessons: the first game, explained while it is played. */
import type { BoardProps, Lesson } from "#web/games/props";
import { groupByDestination, selectionStage } from "./choices";
import type { View } from "./view";
import { say } from "./words";

const viewOf = ({ view }: BoardProps): View => view as View;
const handSize = (props: BoardProps): number =>
  props.seat === null ? 0 : (viewOf(props).hands[props.seat]?.size ?? 0);
const startsTurn = ({ draft, narrowed }: BoardProps): boolean => !draft.length && narrowed === null;
const canClimb = (props: BoardProps): boolean =>
  viewOf(props).reach.some(({ landing, backward }) => landing === null && !backward);

export const LESSONS: Lesson[] = [
  { when: startsTurn, text: () => say("lesson.pawn") },
  {
    when: ({ view, narrowed }) =>
      narrowed !== null && selectionStage(groupByDestination(view as View, narrowed), true) === "take",
    text: () => say("lesson.take"),
  },
  { when: (props) => startsTurn(props) && handSize(props) > 0, text: () => say("lesson.worth") },
  { when: (props) => startsTurn(props) && handSize(props) > 1, text: () => say("lesson.colours") },
  {
    when: (props) => viewOf(props).phase === "extra" || (startsTurn(props) && canClimb(props)),
    text: (props) => (viewOf(props).phase === "extra" ? say("lesson.extra") : say("lesson.climb")),
  },
  {
    when: (props) => startsTurn(props) && viewOf(props).steps.filter(({ pawn }) => pawn !== null).length > 2,
    text: () => say("lesson.end"),
  },
];
