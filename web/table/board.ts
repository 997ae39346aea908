/** What a game's own parts for the screen are given. They hold no rules: they show the view and offer the choices. */
import type { Choice, Event, Previewed } from "../api/types";

export type Happened = Pick<Event, "kind" | "seat" | "text" | "words">;

/** What only a closer look shows, on demand and in the game's own form. */
export interface Closer {
  /** How something was seen to happen, by its place in `events`; null where there is nothing to be seen. */
  film(at: number): Promise<ArrayBuffer | null>;
  /** What is inside the position; null where there is no more to see. */
  inside(): Promise<unknown>;
}

export interface BoardProps extends Closer {
  /** As the game's view type says; the view after the draft, where there is one. */
  view: unknown;
  /** With whose eyes the table is seen; null for somebody who watches. */
  seat: number | null;
  names: string[];
  /** What can be done now; nothing while others move, in replays and in pictures. */
  choices: Choice[];
  /** Those of the choices that are still meant, after a pawn, a stone or a place was pointed at; null for all. */
  narrowed: Choice[] | null;
  /** The text of the choice that a hint names. */
  hint: string | null;
  /** What happened so far, the newest last. */
  events: Happened[];
  draft: string[];
  busy: boolean;
  narrow(choices: Choice[] | null): void;
  choose(text: string): void;
  takeBack(): void;
  /** Says that what the board stayed for, after the game's end, has been seen. */
  enough?: (() => void) | undefined;
  /** Where a draft would lead. */
  ask(draft: string[]): Promise<Previewed>;
}

/** A board that nobody plays on: in replays, at the end, in the rules. */
export function picture(view: unknown, names: string[], seat: number | null = null): BoardProps {
  const nothing = (): void => {};
  return {
    view,
    seat,
    names,
    choices: [],
    narrowed: null,
    hint: null,
    events: [],
    draft: [],
    busy: false,
    narrow: nothing,
    choose: nothing,
    takeBack: nothing,
    ask: () => Promise.reject(new Error("a picture asks nothing")),
    film: () => Promise.resolve(null),
    inside: () => Promise.resolve(null),
  };
}
