/** Download of a table's record. */
import { requestText } from "../../api/client";

export function loadRecord(table: string): Promise<string> {
  return requestText(`tables/${table}/record`);
}

export async function downloadRecord(table: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await loadRecord(table)], { type: "text/plain" }));
  link.download = `${table}.game`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
