/** Storage of small JSON values in the browser. If it is blocked or full, values last as long as the page. */

const PREFIX = "spieltisch.";
const volatile = new Map<string, string>();
const backend = openBackend();

function openBackend(): Storage | null {
  try {
    const found = window.localStorage;
    found.setItem(`${PREFIX}trial`, "");
    found.removeItem(`${PREFIX}trial`);
    return found;
  } catch {
    return null;
  }
}

export const storage = {
  /** Whether values outlive the page. */
  persistent: backend !== null,

  load<T>(key: string): T | null {
    const text = volatile.get(key) ?? backend?.getItem(PREFIX + key);
    try {
      return text ? (JSON.parse(text) as T) : null;
    } catch {
      return null;
    }
  },

  save(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    volatile.set(key, text);
    try {
      backend?.setItem(PREFIX + key, text);
      if (backend) volatile.delete(key);
    } catch {
      // the quota is exceeded: the value lasts as long as the page
    }
  },

  remove(key: string): void {
    backend?.removeItem(PREFIX + key);
    volatile.delete(key);
  },

  /** The keys that start with a prefix. */
  keys(prefix: string): string[] {
    const kept = backend ? Object.keys(backend).filter((key) => key.startsWith(PREFIX)) : [];
    const all = new Set([...kept.map((key) => key.slice(PREFIX.length)), ...volatile.keys()]);
    return [...all].filter((key) => key.startsWith(prefix)).sort();
  },
};
