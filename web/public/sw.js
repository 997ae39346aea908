// Service worker: caches the shell, so that the app starts offline and can say what is missing. Requests to the API are never cached.
const FILES = []; // the files of the shell; filled in by the build, so that every build has its own worker and cache
const CACHE = `spieltisch ${FILES.join(" ")}`;
const SHELL = /^\/(table\/[^/]+|rules\/[^/]+|replay)?$/; // the paths that the shell renders; everything else is a file

self.addEventListener("install", (event) => {
  event.waitUntil(precache());
  self.skipWaiting();
});

async function precache() {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", "/early.js", "/favicon.svg", ...FILES]);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches());
  event.waitUntil(self.clients.claim());
});

/** Deletes the caches of earlier builds. */
async function deleteOldCaches() {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate" && SHELL.test(url.pathname)) event.respondWith(networkFirst(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(cacheFirst(request));
});

/** A page: from the network, or the cached shell if there is none. */
async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (isShell(response)) await cache.put("/", response.clone());
    return response;
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

/** Whether a response is the shell, and not the page of a proxy, a sign-in or an error. */
function isShell(response) {
  const type = response.headers.get("content-type") ?? "";
  return response.status === 200 && !response.redirected && type.startsWith("text/html");
}

/** An asset, whose name changes with its content. */
async function cacheFirst(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
