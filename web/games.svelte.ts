/** The games that can be played here, and what each brings for the screen: found by their folders, named nowhere. */
import type { Component } from "svelte";
import { ask } from "./api/api";
import type { Choice, GameCard, Position } from "./api/types";
import type { BoardProps } from "./table/board";
import { words } from "./i18n/catalogue.svelte";

export interface LidProps {
  title: string;
  shape: "square" | "banner";
}

export interface ScoreProps {
  position: Position;
  names: string[];
}

/** What everybody may know of a seat, beside its name. */
export interface SeatProps {
  view: unknown;
  seat: number;
}

/** What is to be known of a table's game, beside its rules. */
export interface AboutProps {
  view: unknown;
}

/** What a game asks of the person whose turn it is, and a sentence about it where there is room. */
export interface Asked {
  ask: string;
  more?: string;
}

/** Options that the set-up sheet has no form of its own for. */
export interface OptionsProps {
  values: Record<string, string>;
  edition: string;
  change: (name: string, value: string) => void;
}

/** A step of the first game: said once, as soon as it is so. */
export interface Lesson {
  when(shown: BoardProps): boolean;
  say(shown: BoardProps): string;
}

/** A position shown in the rules, after so many of their paragraphs. */
export interface Diagram {
  after: number;
  view: unknown;
  choices?: Choice[];
  /** A chain or a turn that is under way. */
  draft?: string[];
  say(): string;
}

/** What a game brings for the screen, each in a file of its own: all of it may be missing. */
interface Parts {
  Lid: { default: Component<LidProps> };
  /** `lasts`: whether it has something to show of the end, before the sheet about it; it says when it is `enough`. */
  Board: { default: Component<BoardProps>; lasts?: (shown: BoardProps) => boolean };
  /**
   * What is held goes into an element `.things`, what can be chosen into `.ways`; the shell finds their places.
   * `.things.line` has a line of its own where the tray is narrow.
   */
  Tray: { default: Component<BoardProps>; prompt?: (shown: BoardProps) => Asked | null };
  Seat: { default: Component<SeatProps> };
  /** `whole`: it shows how the game ended by itself, without the board. */
  Score: { default: Component<ScoreProps>; whole?: true };
  About: { default: Component<AboutProps> };
  Options: { default: Component<OptionsProps> };
  lessons: { LESSONS: Lesson[] };
  diagrams: { DIAGRAMS: Diagram[] };
}

const found = {
  ...import.meta.glob("../src/spieltisch/games/*/web/{About,Lid,Board,Tray,Score,Seat,Options}.svelte"),
  ...import.meta.glob("../src/spieltisch/games/*/web/{lessons,diagrams}.ts"),
};

/** A part of a game's own; null for a game that does without. */
export async function partOf<Name extends keyof Parts>(
  game: string,
  name: Name,
): Promise<Parts[Name] | null> {
  const ending = name === "lessons" || name === "diagrams" ? "ts" : "svelte";
  const load = found[`../src/spieltisch/games/${game}/web/${name}.${ending}`];
  return load ? ((await load()) as Parts[Name]) : null;
}

class Games {
  cards = $state.raw<GameCard[]>();
  #spoken = "";

  async load(): Promise<GameCard[]> {
    if (this.#spoken !== words.language || !this.cards) {
      this.cards = await ask<GameCard[]>("games");
      this.#spoken = words.language;
    }
    return this.cards;
  }
}

export const games = new Games();
