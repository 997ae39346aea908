/** What is to be said of the connection: it is lost, commands are not delivered, or storage is blocked; empty if all is well. */
import { outbox } from "../api/outbox.svelte";
import { say } from "../i18n/catalogue.svelte";
import { storage } from "../storage";
import type { TableStore } from "./state/store";

const SHORT = 1200; // milliseconds: a shorter interruption is not reported

/** To be made while a component is: it follows the connection as long as that component lives. */
export function createConnectionMessage(store: () => TableStore): { readonly text: string } {
  let late = $state(false);
  const text = $derived.by(() => {
    const { session } = store();
    if (session.deleted || session.error) return "";
    if (outbox.retrying) return say("link.unsent", { commands: outbox.retrying });
    if (late) return navigator.onLine ? say("link.lost") : say("link.offline");
    return storage.persistent ? "" : say("storage.blocked");
  });

  $effect(() => {
    if (store().session.connection === "live") {
      late = false;
      return;
    }
    const timer = setTimeout(() => (late = true), SHORT);
    return () => clearTimeout(timer);
  });
  return {
    get text() {
      return text;
    },
  };
}
