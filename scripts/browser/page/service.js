// The service worker of the page as static files: it answers requests for FILES, and keeps each file
// that was fetched for later visits, even without a network.  A new version counts as installed once
// it has fetched all files that the old one kept.  Then it waits until no page of the old version is
// open, since pages start their workers late, or until the user asks for the new version.

const FILES = {}; // name -> [digest of its contents, bytes]; set by site.py
const HEADERS = { // which a plain file server doesn't send
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const SHELL = ["index.html", "page.css", "page.js", "icon.svg", "manifest.json", "plyglot.js"];
const FOLDER = self.registration.scope;
const CACHE = `plyglot ${FOLDER}`; // other folders of this server may be such sites, too
const flying = new Map(); // name of a file that is being fetched -> the promise of its answer
const progress = { loaded: 0, total: 0 }; // bytes of the running fetches
const STEP = 250_000; // bytes between two reports of the progress

const keyOf = (name) => `${FOLDER}${name}?${FILES[name][0]}`;

/** Return the name in the list of the file at an address, or null. */
function nameOf(address) {
  const name = address.replace(/[?#].*/, "").slice(FOLDER.length) || "index.html";
  return address.startsWith(FOLDER) && Object.hasOwn(FILES, name) ? name : null;
}

async function tell(message) {
  for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage(message);
}

/** Return a stream that passes bytes on and reports the progress of all fetches. */
const counting = () => new TransformStream({
  transform(chunk, output) {
    const before = progress.loaded;
    progress.loaded += chunk.length;
    if (Math.floor(before / STEP) < Math.floor(progress.loaded / STEP)) tell({ progress });
    output.enqueue(chunk);
  },
});

/** Fetch a file and keep it. */
async function fetched(name) {
  progress.total += FILES[name][1];
  const answer = await fetch(FOLDER + (name === "index.html" ? "" : name), { cache: "no-cache" });
  const type = /\.m?js$/.test(name) ? "text/javascript" : answer.headers.get("Content-Type") ?? "";
  const response = () => new Response(answer.body.pipeThrough(counting()), { headers: { "Content-Type": type } });
  if (answer.ok) await (await caches.open(CACHE)).put(keyOf(name), response());
  return answer;
}

/** Fetch a file and keep it; those who ask for it meanwhile share the fetch. */
function keep(name) {
  const end = () => {
    flying.delete(name);
    if (!flying.size) Object.assign(progress, { loaded: 0, total: 0 });
  };
  if (!flying.has(name)) flying.set(name, fetched(name).finally(end));
  return flying.get(name);
}

/** Fetch the files of this version that aren't kept yet; throw if one can't be fetched. */
async function keepAll(names) {
  const cache = await caches.open(CACHE);
  await Promise.all([...new Set(names)].map(async (name) => {
    if (await cache.match(keyOf(name))) return;
    const answer = await keep(name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  }));
}

async function file(name) {
  const cache = await caches.open(CACHE);
  let found = await cache.match(keyOf(name));
  if (!found) {
    const answer = await keep(name).catch(() => Response.error()); // there is no network
    if (!answer.ok) {
      tell({ missing: name });
      return answer.clone();
    }
    found = await cache.match(keyOf(name));
  }
  const headers = new Headers(found.headers);
  for (const [header, value] of Object.entries(HEADERS)) headers.set(header, value);
  return new Response(found.body, { headers });
}

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const kept = await (await caches.open(CACHE)).keys();
  await keepAll([...SHELL, ...kept.map(({ url }) => nameOf(url)).filter(Boolean)]);
  await tell({ version: true });
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE), current = new Set(Object.keys(FILES).map(keyOf));
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request.url);
  if (name && event.request.method === "GET") event.respondWith(file(name));
});

self.addEventListener("message", (event) => {
  const answer = (told) => event.ports[0].postMessage(told);
  if (event.data === "use") self.skipWaiting();
  if (event.data === "keep")
    event.waitUntil(keepAll(Object.keys(FILES)).then(() => answer({}), ({ message }) => answer({ error: message })));
});
