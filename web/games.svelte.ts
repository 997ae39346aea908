/** The games that can be played here, and what each brings for the screen: found by their folders, named nowhere. */
import type { Component } from "svelte";
import { ask } from "./wire/api";
import type { GameCard } from "./wire/types";
import type { BoardProps } from "./table/board";
import { words } from "./words/words.svelte";

export interface LidProps {
  title: string;
  shape: "square" | "banner";
}

type Module<Props extends object> = () => Promise<{ default: Component<Props> }>;

const lids = import.meta.glob("../src/spieltisch/games/*/web/Lid.svelte") as Record<string, Module<LidProps>>;
const boards = import.meta.glob("../src/spieltisch/games/*/web/Board.svelte") as Record<
  string,
  Module<BoardProps>
>;

const path = (game: string, part: string): string => `../src/spieltisch/games/${game}/web/${part}.svelte`;

export function lidOf(game: string): Promise<Component<LidProps> | null> {
  return loaded(lids[path(game, "Lid")]);
}

/** The game's own board; null for a game that is played by the text board alone. */
export function boardOf(game: string): Promise<Component<BoardProps> | null> {
  return loaded(boards[path(game, "Board")]);
}

async function loaded<Props extends object>(module?: Module<Props>): Promise<Component<Props> | null> {
  return module ? (await module()).default : null;
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
