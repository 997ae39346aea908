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

const LIT = ".board [role=button]";

export const LESSONS: Lesson[] = [
  { name: "aim", when: startsTurn, text: () => say("lesson.aim"), target: LIT },
  {
    name: "take",
    when: ({ view, narrowed }) =>
      narrowed !== null && selectionStage(groupByDestination(view as View, narrowed), true) === "take",
    text: ({ narrowed }) => say("lesson.take", { discs: narrowed?.length ?? 0 }),
    target: LIT,
  },
  {
    name: "worth",
    when: (props) => startsTurn(props) && handSize(props) > 0,
    text: () => say("lesson.worth"),
  },
  {
    name: "colours",
    when: (props) => startsTurn(props) && handSize(props) > 1,
    text: () => say("lesson.colours"),
  },
  {
    name: "climb",
    when: (props) => viewOf(props).phase === "extra" || (startsTurn(props) && canClimb(props)),
    text: (props) => (viewOf(props).phase === "extra" ? say("lesson.extra") : say("lesson.climb")),
  },
  {
    name: "end",
    when: (props) => startsTurn(props) && viewOf(props).steps.filter(({ pawn }) => pawn !== null).length > 2,
    text: () => say("lesson.end"),
  },
];
