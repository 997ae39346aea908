/** Hands a record over to the replay page. */
import { router } from "../router.svelte";
import { storage } from "../storage";

export interface OpenedRecord {
  record: string;
  game: number;
}

export async function openRecordFile(file: File): Promise<void> {
  openRecord(await file.text(), 0);
}

export function openRecord(record: string, game: number): void {
  storage.save("replay", { record, game } satisfies OpenedRecord);
  router.go("/replay");
}

/** The record that was opened last. */
export function openedRecord(): OpenedRecord | null {
  return storage.load<OpenedRecord>("replay");
}
