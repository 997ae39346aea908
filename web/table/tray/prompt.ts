import { say } from "../../i18n/catalogue.svelte";
import type { TableStore } from "../state/store";

/** The prompt of the tray: what is to be done now, and by whom. */
export function promptOf({ session, draft }: TableStore): string {
  const { position, myTurn } = session;
  const table = session.table!;
  const name = table.turn === null ? "" : table.seats[table.turn]!.name;
  if (table.status === "revealing") return say("turn.revealing");
  if (position?.winners) return position.winners;
  if (myTurn) {
    if (draft.complete) return say("turn.complete");
    return draft.actions.length ? say("turn.further") : say("turn.choose");
  }
  if (session.mover !== null) return say("turn.moves", { name: table.seats[session.mover]!.name });
  if (table.waiting === "judge") return say("turn.judge");
  if (table.waiting === "bot" || table.waiting === "first") return say("turn.bot", { name });
  return name ? say("turn.other", { name }) : say("turn.nobody");
}
