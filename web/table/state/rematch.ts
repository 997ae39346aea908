/** Return to a rematch: seats are reserved for those who had them; this browser takes its own and, as host, starts the match. */
import type { TableView } from "../../api/types";
import type { TableCommands } from "./commands";

export class RematchReturn {
  #returning = false;

  constructor(readonly commands: TableCommands) {}

  update(table: TableView): void {
    if (table.status !== "gathering" || this.commands.requests.busy) return;
    const reserved = table.seats.findIndex((seat) => seat.you && seat.kept);
    if (reserved >= 0) {
      this.#returning = true;
      void this.commands.join(table.seats[reserved]!.name, reserved);
    } else if (this.#returning && table.host && isComplete(table)) {
      this.#returning = false;
      void this.commands.start();
    }
  }
}

function isComplete(table: TableView): boolean {
  return table.seats.every((seat) => seat.kind !== "open" && !seat.kept);
}
