import "./app.css";
import "./art/palette.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { locale } from "./i18n/catalogue.svelte";

/** A part that is not there any more: the server has a newer page. Where that does not help, the error is shown. */
async function renew(): Promise<void> {
  const there = await fetch("/", { method: "HEAD" }).catch(() => null);
  if (!there?.ok || history.state === "renewed") return;
  history.replaceState("renewed", "");
  location.reload();
}

settings.show();
router.begin();
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
window.addEventListener("vite:preloadError", () => void renew());
const place = document.getElementById("app")!;
try {
  await locale.start();
  mount(App, { target: place });
} catch {
  const link = Object.assign(document.createElement("a"), {
    href: location.href,
    textContent: "Spieltisch: try again",
  });
  place.replaceChildren(link); // not even words are there
}
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register("/sw.js").catch(() => {});
