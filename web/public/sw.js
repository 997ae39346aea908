// Keeps the shell, so that the app starts without a server and says what is missing; games are always asked for.
const FILES = []; // what the shell is made of; the build fills it in, so that every build brings a worker of its own
const CACHE = `spieltisch ${FILES.join(" ")}`;

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
  self.skipWaiting();
});

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", "/early.js", "/favicon.svg", ...FILES]);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(forget());
  event.waitUntil(self.clients.claim());
});

/** Forgets the builds before this one. */
async function forget() {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

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
