/** What the browser remembers for us. Where it may not, everything lasts as long as the page. */

const PREFIX = "spieltisch.";
const forgetful = new Map<string, string>();

function storage(): Storage | null {
  try {
    const found = window.localStorage;
    found.setItem(`${PREFIX}trial`, "");
    found.removeItem(`${PREFIX}trial`);
    return found;
  } catch {
    return null;
  }
}

const kept = storage();

/** Whether what is remembered outlives the page. */
export const lasting = kept !== null;

export function recall<T>(name: string): T | null {
  const text = forgetful.get(name) ?? kept?.getItem(PREFIX + name);
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

export function remember(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  forgetful.set(name, text);
  try {
    kept?.setItem(PREFIX + name, text);
    if (kept) forgetful.delete(name);
  } catch {
    // full: it lasts as long as the page
  }
}

export function forget(name: string): void {
  kept?.removeItem(PREFIX + name);
  forgetful.delete(name);
}
