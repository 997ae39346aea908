/** How people and bots look at a table: by name, since no two seats have the same one. */
import { getContext, setContext } from "svelte";
import type { TableView } from "../../api/types";
import type { Colour } from "../palette";

export type Seat = TableView["seats"][number];
export type AvatarName = NonNullable<Seat["avatar"]>;
export type Animal = Exclude<AvatarName, Colour>;

/** The default names of bots. `table/avatars.py` gives them; a name without a table, as in a replay, is enough for the face. */
export const BOT_NAMES: Readonly<Record<Animal, string>> = {
  chick: "Pip",
  mouse: "Mimi",
  hare: "Hugo",
  frog: "Frida",
  duck: "Emil",
  bear: "Bruno",
  hedgehog: "Ilse",
  squirrel: "Sami",
  fox: "Fenja",
  cat: "Karl",
  owl: "Ulla",
  raven: "Korbin",
};
export const FACE_NAMES = Object.keys(BOT_NAMES) as Animal[];
export const COIN_NAMES: readonly Colour[] = ["blue", "red", "yellow", "green", "purple", "white", "black"];

export interface Look {
  /** null is a plain coin. */
  avatar: AvatarName | null;
  /** The level of a bot; null for people and for bots without a level. */
  level: number | null;
}

/** The level of a bot by its name in the protocol; null if it has none, or if there is no bot. */
export function levelOf(player: string | null | undefined): number | null {
  return Number(/^level:([1-5])$/.exec(player ?? "")?.[1]) || null;
}

export function isFace(avatar: AvatarName | null): avatar is Animal {
  return avatar !== null && avatar in BOT_NAMES;
}

export function lookOfSeat({ avatar, kind, player }: Seat): Look {
  return { avatar, level: kind === "bot" ? levelOf(player) : null };
}

const KEY = Symbol("seats");

/** Lets every avatar below this component look as the seat with its name does. */
export function provideSeats(seats: () => readonly Seat[]): void {
  setContext(KEY, seats);
}

/** Finds the look of somebody by name; without a table, the name of a bot gives its face. To be called while a component is set up. */
export function useLooks(): (name: string) => Look {
  const seats = getContext<(() => readonly Seat[]) | undefined>(KEY);
  return (name) => {
    const seat = seats?.().find((one) => one.name === name);
    if (seat) return lookOfSeat(seat);
    return { avatar: FACE_NAMES.find((face) => BOT_NAMES[face] === name) ?? null, level: null };
  };
}
