import "./app.css";
import "./pieces/palette.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { words } from "./words/words.svelte";

settings.show();
router.begin();
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
window.addEventListener("vite:preloadError", () => location.reload()); // the server has a newer page
await words.begin();
mount(App, { target: document.getElementById("app")! });
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register("/sw.js").catch(() => {});
