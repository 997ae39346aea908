/** Focus of keyboard users across an action. */
import { tick } from "svelte";

/** Waits for an action; if the focused element has disappeared meanwhile, focuses the fallback. */
export async function keepFocus(
  action: Promise<unknown>,
  fallback: () => HTMLElement | undefined,
): Promise<void> {
  await action;
  await tick();
  if (document.activeElement === document.body || document.activeElement === null) fallback()?.focus();
}
