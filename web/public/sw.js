// Keeps the shell, so that the app starts without a server and says what is missing; games are always asked for.
const CACHE = "spieltisch-shell";

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
  self.skipWaiting();
});

/** Everything that the shell is made of, by the list that the build leaves. */
async function keep() {
  const made = await (await fetch("/manifest.json")).json();
  const files = Object.values(made).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", "/early.js", "/favicon.svg", ...new Set(files.map((file) => `/${file}`))]);
}

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
});

async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put("/", answer.clone());
    return answer;
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
