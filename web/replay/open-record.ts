/** A record on its way to the page that replays it. */
import { storage } from "../storage";
import { router } from "../router.svelte";

export interface Opened {
  record: string;
  game: number;
}

export async function openRecord(file: File): Promise<void> {
  showRecord(await file.text(), 0);
}

export function showRecord(record: string, game: number): void {
  storage.save("replay", { record, game } satisfies Opened);
  router.go("/replay");
}

export function openedRecord(): Opened | null {
  return storage.load<Opened>("replay");
}
