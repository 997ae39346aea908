/** The reveal of the commit-reveal scheme: sends this browser's nonces once all seats are taken. */
import { loadNonce, removeNonce } from "../../api/nonces";
import { outbox } from "../../api/outbox.svelte";
import type { CommandResult, TableView } from "../../api/types";

export class NonceReveal {
  readonly #revealed = new Set<string>();

  constructor(readonly table: string) {}

  update({ status, you, fair }: TableView): void {
    if (status !== "revealing") return;
    for (const seat of you) {
      const commitment = fair.commitments[seat];
      const nonce = commitment && loadNonce(commitment);
      if (!nonce || fair.nonces[seat] || this.#revealed.has(commitment)) continue;
      this.#revealed.add(commitment);
      void outbox
        .send<CommandResult>(`tables/${this.table}/reveal`, { seat, nonce })
        .then(() => removeNonce(commitment))
        .catch(() => {}); // after ten seconds the match starts without it
    }
  }
}
