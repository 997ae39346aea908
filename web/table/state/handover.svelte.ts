/** Handover of a shared device: each person sees the table from their own seat, and nothing before the device is theirs. */
import type { TableView } from "../../api/types";
import type { TableSession } from "./session.svelte";

export class Handover {
  /** Whether the table is covered until the next person has the device. */
  covered = $state(false);

  constructor(readonly session: TableSession) {}

  update(table: TableView): void {
    if (table.you.length < 2 || table.status !== "playing") {
      this.covered = false;
      return;
    }
    const seat = nextViewer(table, this.session.requestedSeat);
    if (seat === this.session.requestedSeat) return;
    this.covered = table.hides;
    this.session.switchSeat(seat);
  }

  uncover(): void {
    this.covered = false;
  }
}

/** The seat from which a shared device shows the table: the seat to move if it is one of its own, else as before. */
export function nextViewer(table: TableView, current: number | null): number {
  const { waiting, turn, you, viewer } = table;
  if (waiting === "person" && turn !== null && you.includes(turn)) return turn;
  return current ?? viewer ?? you[0]!;
}
