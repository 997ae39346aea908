/** A table's record as a file. */
import { read } from "../../api/client";

export function recordOf(table: string): Promise<string> {
  return read(`tables/${table}/record`);
}

export async function saveRecord(table: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await recordOf(table)], { type: "text/plain" }));
  link.download = `${table}.game`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
