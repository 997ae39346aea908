/** Copies a text; where the clipboard API is missing, which needs https, by selecting a field that holds it. */
export async function copyText(text: string, field: HTMLInputElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field?.select();
    document.execCommand("copy");
  }
}
