/** Fair chance at a table: keeps the commitments, and reveals this browser's nonces if they have not changed. */
import { outbox } from "../../api/outbox.svelte";
import type { CommandResult, TableView } from "../../api/types";
import { keepCommitments, type KeptCommitments } from "../../fairness/commitments";

export class FairnessState {
  kept = $state.raw<KeptCommitments | null>(null);
  /** Whether a nonce was kept back because the server has sent other commitments than before. */
  withheld = $state(false);
  readonly #revealed: string[] = [];

  constructor(readonly table: string) {}

  update(view: TableView): void {
    this.kept = keepCommitments(this.table, view);
    if (view.status !== "revealing") return;
    for (const [seat, nonce] of Object.entries(this.kept?.own ?? {})) this.#reveal(view, Number(seat), nonce);
  }

  #reveal({ you, fair }: TableView, seat: number, nonce: string): void {
    if (!you.includes(seat) || fair.nonces[seat] || this.#revealed.includes(nonce)) return;
    if (this.kept?.changed) {
      this.withheld = true;
      return;
    }
    this.#revealed.push(nonce);
    void outbox.send<CommandResult>(`tables/${this.table}/reveal`, { seat, nonce }).catch(() => {}); // after ten seconds the match starts without it
  }
}
