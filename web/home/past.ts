/** A finished match in words: who won, and when. */
import { locale, say } from "../i18n/catalogue.svelte";
import type { FinalResult } from "./recent-tables";

const DAY = 24 * 60 * 60 * 1000;

/** Who won, with the points from the highest to the lowest if they decided. */
export function describeResult({ seats, mine, winners, scores, resigned }: FinalResult): string {
  const namesOf = (which: number[]): string[] => which.map((seat) => seats[seat] ?? "");
  const only = mine.length === 1 ? mine[0]! : null;
  if (resigned.length) {
    if (only !== null && resigned.includes(only)) return say("past.you_gave_up");
    const names = namesOf(resigned);
    return only !== null && winners.includes(only)
      ? say("past.gave_up", { names })
      : say("past.gave_up_others", { names });
  }
  if (winners.length !== 1) return say("past.shared", { names: namesOf(winners) });
  const points = scores?.toSorted((one, other) => other - one).join(" : ");
  if (winners[0] === only)
    return points ? say("past.you_won", { scores: points }) : say("past.you_won_plain");
  const name = seats[winners[0]!] ?? "";
  return points ? say("past.won", { name, scores: points }) : say("past.won_plain", { name });
}

/** The day as people say it: today, yesterday, a weekday of this week, else the date. */
export function describeDay(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  if (days <= 1)
    return new Intl.RelativeTimeFormat(locale.language, { numeric: "auto" }).format(
      -Math.max(days, 0),
      "day",
    );
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const style: Intl.DateTimeFormatOptions =
    days < 7
      ? { weekday: "long" }
      : { day: "numeric", month: "short", ...(!sameYear && { year: "numeric" as const }) };
  return new Intl.DateTimeFormat(locale.language, style).format(at);
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
