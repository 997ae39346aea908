/** Props of the components that a game brings for the screen. They hold no rules: they show the view and offer the choices. */
import type { Snippet } from "svelte";
import type { Choice, EventView, Position, DraftPreview } from "../api/types";
import type { Paint } from "../art/palette";
import type { Sound } from "../sound/synthesizer";
import type { SeatMark } from "../log/lines";
import { NO_ANCHORS, type Anchors } from "./anchors";

export type GameEvent = Pick<EventView, "kind" | "seat" | "text" | "words" | "turn">;

/** The sound of an event or of an action that the person has chosen; null for silence. */
export type SoundOf = (event: Pick<GameEvent, "kind" | "text">) => Sound | null;

/** The colours of a seat: how they are painted, and their names. */
export interface SeatColour {
  paints: Paint[];
  words: string;
}

/** Loads on demand what the view does not hold, in the game's own format. */
export interface DetailLoader {
  /** The recording of an event, by its index in `events`; null if there is none. */
  loadFilm(index: number): Promise<ArrayBuffer | null>;
  /** Details of the position; null if there are none. */
  loadDetails(): Promise<unknown>;
}

export interface BoardProps extends DetailLoader {
  /** The game's view type; if there is a draft, the view after it. */
  view: unknown;
  /** The seat from which the table is seen; null for a spectator. */
  seat: number | null;
  names: string[];
  /** What can be chosen now; empty while others move, in replays and in static boards. */
  choices: Choice[];
  /** The choices that remain after a pawn, a stone or a place was selected; null for all. */
  narrowed: Choice[] | null;
  /** The text of the choice that a hint suggests. */
  hint: string | null;
  /** All events so far, the newest last. */
  events: GameEvent[];
  /** Where everybody's last turn took place, the latest last; the format of a mark is the game's own. */
  marks: readonly SeatMark[];
  draft: string[];
  busy: boolean;
  anchors: Anchors;
  narrow(choices: Choice[] | null): void;
  choose(text: string): void;
  takeBack(): void;
  /** Only after the game's end, if the board `showsEnding`: leaves the board for the result. */
  closeEnding?: (() => void) | undefined;
  /** Where a draft would lead; the table does not change. */
  preview(draft: string[]): Promise<DraftPreview>;
}

/** Public information about a seat, shown beside its name. */
export interface SeatProps {
  view: unknown;
  seat: number;
}

/** A symbol by its name in the game's messages. */
export interface SymbolProps {
  name: string;
}

export interface ScoreProps {
  position: Position;
  names: string[];
  /** The seat whose row is open; null for spectators, and if several people share the screen. */
  seat: number | null;
  /** The headline of the result, which a `standalone` score sheet shows itself. */
  heading: Snippet;
}

/** Information about a table's game that the rules do not hold. */
export interface AboutProps {
  view: unknown;
}

/** A form for options that need more than a list of values. */
export interface OptionsProps {
  values: Record<string, string>;
  edition: string;
  change: (name: string, value: string) => void;
}

export type LidShape = "square" | "banner";

export interface LidProps {
  title: string;
  shape: LidShape;
}

/** The question to the person whose turn it is; the detail is shown if there is room. */
export interface Prompt {
  text: string;
  detail?: string;
}

/** A lesson of the tutorial, shown as soon as its condition holds, and learnt when it holds no longer. */
export interface Lesson {
  name: string;
  when(props: BoardProps): boolean;
  text(props: BoardProps): string;
  /** What to point at: a CSS selector. */
  target?: string;
}

/** A figure as the rules themselves reach it: generated, with every choice there is. */
export interface Figure {
  view: unknown;
  choices: string[];
  /** The actions of an unfinished turn. */
  draft: string[];
}

/** A position shown in the rules, where the text names it. */
export interface Diagram {
  name: string;
  view: unknown;
  choices: Choice[];
  draft: string[];
  caption(): string;
}

/** Props of a board that nobody plays on: in replays, after the end, in the rules. */
export function staticBoardProps(view: unknown, names: string[], seat: number | null = null): BoardProps {
  const nothing = (): void => {};
  return {
    view,
    seat,
    names,
    choices: [],
    narrowed: null,
    hint: null,
    events: [],
    marks: [],
    draft: [],
    busy: false,
    anchors: NO_ANCHORS,
    narrow: nothing,
    choose: nothing,
    takeBack: nothing,
    preview: () => Promise.reject(new Error("a static board has no preview")),
    loadFilm: () => Promise.resolve(null),
    loadDetails: () => Promise.resolve(null),
  };
}
