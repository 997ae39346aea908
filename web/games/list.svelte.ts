/** The games that can be played here, as the home page lists them; cached per language. */
import { requestJson } from "../api/client";
import type { GameCard } from "../api/types";
import { locale } from "../i18n/catalogue.svelte";

class GameList {
  cards = $state.raw<GameCard[]>();
  #language = "";

  async load(): Promise<GameCard[]> {
    if (this.#language !== locale.language || !this.cards) {
      this.cards = await requestJson<GameCard[]>("games");
      this.#language = locale.language;
    }
    return this.cards;
  }
}

export const gameList = new GameList();
