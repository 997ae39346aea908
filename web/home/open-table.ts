/** Opening a table: from one click, or from everything set by hand. */
import { recall, remember } from "../storage";
import { settings } from "../settings.svelte";
import { introduce } from "../api/client";
import { keepNonce, makeNonce } from "../api/nonces";
import { makeKey } from "../api/token";
import type { GameCard, OpenedTable } from "../api/types";
import { say } from "../i18n/catalogue.svelte";

export type Kind = "me" | "device" | "bot" | "open";

export interface SeatChoice {
  kind: Kind;
  name: string;
  player: string;
}

export interface Plan {
  game: string;
  edition: string | null;
  seats: SeatChoice[];
  options: Record<string, string>;
  games: number | null;
  seconds: number | null;
  public: boolean;
}

export const LEVELS = ["level:1", "level:2", "level:3", "level:4", "level:5"];
const USUAL_LEVEL = "level:2";

export function usualLevel(): string {
  const found = recall<string>("level");
  return found && LEVELS.includes(found) ? found : USUAL_LEVEL;
}

export function setLevel(level: string): void {
  remember("level", level);
}

export const me = (): SeatChoice => ({ kind: "me", name: "", player: "" });
export const bot = (player = usualLevel()): SeatChoice => ({ kind: "bot", name: "", player });
export const friend = (): SeatChoice => ({ kind: "open", name: "", player: "" });

/** You and two bots the first time, then as at the last table, with bots of the chosen level. */
export function quickPlan(card: GameCard): Plan {
  const last = recall<Plan>(`plan.${card.game}`);
  const level = usualLevel();
  const seats =
    last?.seats.some((seat) => seat.kind === "open") === false ? last.seats : [me(), bot(), bot()];
  const most = Math.max(...card.players);
  return {
    ...usualPlan(card),
    ...last,
    public: false,
    seats: seats.slice(0, most).map((seat) => (seat.kind === "bot" ? { ...seat, player: level } : seat)),
  };
}

export function friendsPlan(card: GameCard): Plan {
  const last = recall<Plan>(`plan.${card.game}`);
  const seats = last?.seats.some((seat) => seat.kind === "open") ? last.seats : [me(), friend()];
  return { ...usualPlan(card), ...last, seats };
}

export function usualPlan(card: GameCard): Plan {
  return {
    game: card.game,
    edition: null,
    seats: [me(), bot(), bot()],
    options: {},
    games: 1,
    seconds: null,
    public: false,
  };
}

/** Opens the table and answers its name. */
export async function openTable(plan: Plan): Promise<string> {
  const seats = plan.seats.map((seat, at) => {
    if (seat.kind === "bot") return { kind: "bot", player: seat.player };
    if (seat.kind === "open") return { kind: "open" };
    const nonce = makeNonce();
    keepNonce(nonce);
    return { kind: "person", name: nameOf(seat, at), commit: nonce.commit };
  });
  const { table } = await introduce<OpenedTable>("tables", {
    key: makeKey(),
    game: plan.game,
    seats,
    ...(plan.edition && { edition: plan.edition }),
    options: plan.options,
    ...(plan.games && { games: plan.games }),
    ...(plan.seconds && { seconds: plan.seconds }),
    public: plan.public,
  });
  remember(`plan.${plan.game}`, plan);
  return table;
}

function nameOf(seat: SeatChoice, at: number): string {
  if (seat.kind === "me") return settings.name || say("you.name", { number: at + 1 });
  return seat.name.trim() || say("seat.name", { number: at + 1 });
}
