/** Structural sharing of states, so that unchanged parts can be compared by identity. */

/** Returns the new state with all equal parts taken from the old one; the old one itself if nothing differs. */
export function reuseUnchanged<T extends object>(before: T | null, after: T): T {
  if (!before) return after;
  const isEqual = (name: string): boolean =>
    JSON.stringify(before[name as keyof T]) === JSON.stringify(after[name as keyof T]);
  const equal = Object.keys(after).filter(isEqual);
  if (equal.length === Object.keys(after).length) return before;
  return { ...after, ...Object.fromEntries(equal.map((name) => [name, before[name as keyof T]])) };
}
