/** Loader of the parts that a game brings for the screen: found by folder, each loaded on demand, all optional. */
import type { Component } from "svelte";
import type { ChanceModel } from "../fairness/chance";
import type {
  AboutProps,
  BoardProps,
  Diagram,
  Lesson,
  LidProps,
  OptionsProps,
  Prompt,
  ScoreProps,
  SeatColour,
  SeatProps,
  SoundOf,
  SymbolProps,
} from "./props";

/** The modules by file name. */
interface GameParts {
  Lid: { default: Component<LidProps> };
  /**
   * `showsEnding`: whether the board shows the game's end itself, until `closeEnding` is called. `tallTray`: whether the
   * game's tray needs more height than most; the shell gives it the same height all the time, so that the board never moves.
   */
  Board: { default: Component<BoardProps>; showsEnding?: (props: BoardProps) => boolean; tallTray?: true };
  /** The shell lays out the elements that have the attributes of `trayPieces` and `trayChoices`. */
  Tray: { default: Component<BoardProps>; prompt?: (props: BoardProps) => Prompt | null };
  Seat: { default: Component<SeatProps> };
  /** `standalone`: it needs no board beside it, and shows the heading itself. */
  Score: { default: Component<ScoreProps>; standalone?: true };
  /** Draws a symbol of the log's lines, to be shown inside of text. */
  Symbol: { default: Component<SymbolProps> };
  About: { default: Component<AboutProps> };
  Options: { default: Component<OptionsProps> };
  lessons: { LESSONS: Lesson[] };
  diagrams: { DIAGRAMS: Diagram[] };
  /** What chance can draw, so that the browser can recompute it. */
  chance: { chance: ChanceModel };
  /** How its pieces sound. */
  sounds: { soundOf: SoundOf };
  /** Which colours belong to which seat, if that is so: whoever chooses a colour chooses the seat. */
  colours: { seatColours: (players: number) => SeatColour[] };
}

const SCRIPTS: readonly string[] = [
  "lessons",
  "diagrams",
  "chance",
  "sounds",
  "colours",
] satisfies (keyof GameParts)[];

const modules = {
  ...import.meta.glob(
    "../../src/spieltisch/games/*/web/{About,Lid,Board,Tray,Score,Seat,Symbol,Options}.svelte",
  ),
  ...import.meta.glob("../../src/spieltisch/games/*/web/{lessons,diagrams,chance,sounds,colours}.ts"),
};

/** Loads a part of a game; null if the game has none. */
export async function loadPart<Name extends keyof GameParts>(
  game: string,
  name: Name,
): Promise<GameParts[Name] | null> {
  const extension = SCRIPTS.includes(name) ? "ts" : "svelte";
  const load = modules[`../../src/spieltisch/games/${game}/web/${name}.${extension}`];
  return load ? ((await load()) as GameParts[Name]) : null;
}
