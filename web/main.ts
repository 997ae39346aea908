import "./app.css";
import "./art/palette.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { outbox } from "./api/outbox.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { sounds } from "./sound/player";
import { locale } from "./i18n/catalogue.svelte";

/** A chunk is missing because the server has a newer build: reloads once. After that the error is shown. */
async function reloadOnce(): Promise<void> {
  const response = await fetch("/", { method: "HEAD" }).catch(() => null);
  if (!response?.ok || history.state === "renewed") return;
  history.replaceState("renewed", "");
  location.reload();
}

settings.apply();
router.start();
sounds.listen();
outbox.resumeAll();
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
window.addEventListener("vite:preloadError", () => void reloadOnce());
const target = document.getElementById("app")!;
try {
  await locale.start();
  mount(App, { target });
} catch {
  const link = Object.assign(document.createElement("a"), {
    href: location.href,
    textContent: "Spieltisch: try again",
  });
  target.replaceChildren(link); // not even the page that shows errors has loaded
}
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register("/sw.js").catch(() => {});
