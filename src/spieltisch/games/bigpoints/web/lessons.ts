/** The first game, explained while it is played. */
import type { BoardProps, Lesson } from "#web/games/props";
import { stageOf, waysOf, type View } from "./reading";
import { say } from "./words";

const viewOf = ({ view }: BoardProps): View => view as View;
const held = (shown: BoardProps): number =>
  shown.seat === null ? 0 : (viewOf(shown).hands[shown.seat]?.size ?? 0);
const begins = ({ draft, narrowed }: BoardProps): boolean => !draft.length && narrowed === null;
const climbs = (shown: BoardProps): boolean =>
  viewOf(shown).reach.some(({ landing, backward }) => landing === null && !backward);

export const LESSONS: Lesson[] = [
  { when: begins, text: () => say("lesson.pawn") },
  {
    when: ({ view, narrowed }) =>
      narrowed !== null && stageOf(waysOf(view as View, narrowed), true) === "take",
    text: () => say("lesson.take"),
  },
  { when: (shown) => begins(shown) && held(shown) > 0, text: () => say("lesson.worth") },
  { when: (shown) => begins(shown) && held(shown) > 1, text: () => say("lesson.colours") },
  {
    when: (shown) => viewOf(shown).phase === "extra" || (begins(shown) && climbs(shown)),
    text: (shown) => (viewOf(shown).phase === "extra" ? say("lesson.extra") : say("lesson.climb")),
  },
  {
    when: (shown) => begins(shown) && viewOf(shown).steps.filter(({ pawn }) => pawn !== null).length > 2,
    text: () => say("lesson.end"),
  },
];
