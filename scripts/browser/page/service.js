// The service worker of the page as static files: keeps each fetched file for later visits, with or
// without a network.  A new version waits until no page of the old one is open, since
// pages start their workers late.  site.py sets the name and the policy.

const NAME = "plyglot-VERSION";
const HEADERS = { // which a server of files does not send
  "Content-Security-Policy": "POLICY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const SHELL = ["./", "page.css", "page.js", "icon.svg", "plyglot.js"];

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const files = SHELL.map((name) => new Request(name, { cache: "no-cache" }));
  await (await caches.open(NAME)).addAll(files);
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys())
    if (name.startsWith("plyglot-") && name !== NAME) await caches.delete(name);
  await self.clients.claim();
})()));

/** Return a file, from the cache if it was fetched before. */
async function file(request) {
  const cache = await caches.open(NAME);
  let found = await cache.match(request, { ignoreMethod: true, ignoreSearch: true });
  if (!found) {
    found = await fetch(request.url, { cache: "no-cache" });
    if (!found.ok) return found;
    await cache.put(request.url, found.clone());
  }
  const headers = new Headers(found.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  for (const name of ["Accept-Ranges", "Content-Encoding"]) headers.delete(name);
  if (request.method === "HEAD")
    headers.set("Content-Length", (await found.blob()).size); // before it was compressed
  return new Response(request.method === "HEAD" ? null : found.body, { headers });
}

self.addEventListener("fetch", (event) => {
  if (["GET", "HEAD"].includes(event.request.method)) event.respondWith(file(event.request));
});
