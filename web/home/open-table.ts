/** Opens a table: with one click, or with everything set by hand in the setup sheet. */
import { storage } from "../storage";
import { settings } from "../settings.svelte";
import { startSession } from "../api/client";
import { commitNonce } from "../fairness/nonces";
import { makeIdempotencyKey } from "../api/token";
import type { AvatarName } from "../art/avatars/looks";
import type { GameCard, OpenedTable } from "../api/types";
import { say } from "../i18n/catalogue.svelte";

export type SeatKind = "me" | "device" | "bot" | "open";

export interface PlannedSeat {
  kind: SeatKind;
  name: string;
  player: string;
  /** Of somebody else at this device; one's own is a setting. */
  avatar?: AvatarName | null;
}

export interface Plan {
  game: string;
  edition: string | null;
  seats: PlannedSeat[];
  options: Record<string, string>;
  games: number | null;
  seconds: number | null;
  public: boolean;
  /** The seat that begins; null is drawn by lot. */
  first?: number | null;
}

export const LEVELS = ["level:1", "level:2", "level:3", "level:4", "level:5"];
const DEFAULT_LEVEL = "level:2";

export function chosenLevel(): string {
  const found = storage.load<string>("level");
  return found && LEVELS.includes(found) ? found : DEFAULT_LEVEL;
}

export function chooseLevel(level: string): void {
  storage.save("level", level);
}

export const me = (): PlannedSeat => ({ kind: "me", name: "", player: "" });
export const bot = (player = chosenLevel()): PlannedSeat => ({ kind: "bot", name: "", player });
export const guest = (): PlannedSeat => ({ kind: "device", name: "", player: "" });
export const friend = (): PlannedSeat => ({ kind: "open", name: "", player: "" });

/** How many games a match has: what the rules recommend, else one per seat, so that everyone begins once. */
export function matchLength(card: GameCard, seats: number): number {
  const advised = card.games[seats] ?? 1;
  return advised > 1 ? advised : seats;
}

/** The plan with as many games as a match of its seats has, if it is a match. */
function withMatchLength(card: GameCard, plan: Plan): Plan {
  return { ...plan, games: (plan.games ?? 1) > 1 ? matchLength(card, plan.seats.length) : 1 };
}

/** You and two bots the first time, later the seats of the last table; the bots have the chosen level. */
export function quickPlan(card: GameCard): Plan {
  const last = storage.load<Plan>(`plan.${card.game}`);
  const level = chosenLevel();
  const seats =
    last?.seats.some((seat) => seat.kind === "open") === false ? last.seats : [me(), bot(), bot()];
  const most = Math.max(...card.players);
  return withMatchLength(card, {
    ...defaultPlan(card),
    ...last,
    public: false,
    seats: seats.slice(0, most).map((seat) => (seat.kind === "bot" ? { ...seat, player: level } : seat)),
  });
}

export function invitePlan(card: GameCard): Plan {
  const last = storage.load<Plan>(`plan.${card.game}`);
  const seats = last?.seats.some((seat) => seat.kind === "open") ? last.seats : [me(), friend()];
  return withMatchLength(card, { ...defaultPlan(card), ...last, seats });
}

export function defaultPlan(card: GameCard): Plan {
  return {
    game: card.game,
    edition: null,
    seats: [me(), bot(), bot()],
    options: {},
    games: 1,
    seconds: null,
    public: false,
    first: null,
  };
}

/** Opens a table and returns its name. */
export async function openTable(plan: Plan): Promise<string> {
  const seats = plan.seats.map((seat, at) => {
    if (seat.kind === "bot") return { kind: "bot", player: seat.player };
    if (seat.kind === "open") return { kind: "open" };
    const avatar = seat.kind === "me" ? settings.avatar : (seat.avatar ?? null);
    return { kind: "person", name: playerName(seat, at), avatar, commit: commitNonce() };
  });
  const { table } = await startSession<OpenedTable>("tables", {
    key: makeIdempotencyKey(),
    game: plan.game,
    seats,
    ...(plan.edition && { edition: plan.edition }),
    options: plan.options,
    ...(plan.games && { games: plan.games }),
    ...(plan.seconds && { seconds: plan.seconds }),
    public: plan.public,
    ...(typeof plan.first === "number" && plan.first < seats.length && { first: plan.first }),
  });
  storage.save(`plan.${plan.game}`, plan);
  return table;
}

/** Seats with as many of a kind: those that are missing come after the others of that kind, people before bots. */
export function withSeats(seats: PlannedSeat[], kind: SeatKind, number: number): PlannedSeat[] {
  const ORDER: SeatKind[] = ["me", "device", "open", "bot"];
  const found = [...seats];
  const count = (): number => found.filter((seat) => seat.kind === kind).length;
  const rank = (seat: PlannedSeat): number => ORDER.indexOf(seat.kind);
  while (count() < number) {
    const added = kind === "bot" ? bot() : kind === "device" ? guest() : friend();
    found.splice(found.findLastIndex((seat) => rank(seat) <= rank(added)) + 1, 0, added);
  }
  while (count() > number)
    found.splice(
      found.findLastIndex((seat) => seat.kind === kind),
      1,
    );
  return found;
}

/** The plan with two seats exchanged; who begins still begins. */
export function swapSeats(plan: Plan, one: number, other: number): Pick<Plan, "seats" | "first"> {
  const seats = [...plan.seats];
  [seats[one], seats[other]] = [seats[other]!, seats[one]!];
  const first = plan.first === one ? other : plan.first === other ? one : plan.first;
  return { seats, ...(first !== undefined && { first }) };
}

function playerName(seat: PlannedSeat, at: number): string {
  if (seat.kind === "me") return settings.name || say("you.name", { number: at + 1 });
  return seat.name.trim() || say("seat.name", { number: at + 1 });
}
