// The page as static files: workers of the browser take the server's place (see site.py).  One
// answers the commands about games, and each of the others runs engines.

const ROLES = { 0: "play", 1: "play", hint: "play" }; // which engines share a worker
const PATIENCE = 3000; // milliseconds to wait for the service worker
// How workers take messages during a search (see plyglot.js); "block": only between two searches.
const MODE = "Suspending" in WebAssembly ? "suspend" : crossOriginIsolated ? "share" : "block";
const AGAIN = "This browser can't interrupt a search here: open the page over https, or in a browser with"
  + " JavaScript Promise Integration. Python is loading again";
const UNKEPT = "The page's files can't be kept: that needs https, and Pyodide on the page's own server.";
export const LAST = ["move", "failed", "reviewed"]; // the last events of a search
const LOADING = "Python is loading", LATER = "Your move is played as soon as it is ready.";

/** Start the service worker, which keeps the page's files, if the browser allows one here.  It isolates
 * the page from the next load on: if workers can take messages only on an isolated page, reload it. */
async function keepFiles() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return;
  await new Promise((resolve) => {
    serviceWorker.addEventListener("controllerchange", resolve);
    serviceWorker.register("service.js").catch(resolve);
    setTimeout(resolve, PATIENCE);
  });
  if (MODE === "block" && serviceWorker.controller) {
    location.reload();
    await new Promise(() => {});
  }
}

export class Workers {
  /** starts: the views of the games' starting positions.  pyodide: the address of Pyodide, "" if it is
   * beside the page.  tell(event): takes events. */
  constructor({ starts, pyodide }, tell) {
    Object.assign(this, { starts, tell, workers: new Map(), asked: 0, ready: keepFiles() });
    Object.assign(this, { keeps: !pyodide, missing: new Set(), started: false, loaded: "" });
    this.listen();
    const program = "scripts.browser.worker:Page";
    this.script = `plyglot.js?${new URLSearchParams({
      program, mode: MODE, ...(pyodide && { pyodide }) })}`;
    this.waiting = new Map(); // number of a command -> the function that takes its answer
    for (const name of ["page", "play"]) this.worker(name);
  }

  async listen() {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    serviceWorker.addEventListener("message", ({ data }) => this.hear(data));
    if (!serviceWorker.controller) return;
    serviceWorker.addEventListener("controllerchange", () => location.reload());
    if ((await serviceWorker.getRegistration())?.waiting) this.hear({ version: true });
  }

  /** Take a message of the service worker: a new version waits, a file is missing, or the progress. */
  hear({ version, missing, progress }) {
    if (version && navigator.serviceWorker.controller) this.tell({ type: "version" });
    if (missing?.startsWith("games/") && !this.missing.has(missing)) {
      this.missing.add(missing);
      this.tell({ type: "missing", words: `${missing} can't be fetched and isn't stored here: the game goes on without it.` });
    }
    if (progress) this.loaded = `: ${Object.values(progress).map((bytes) => (bytes / 1e6).toFixed(1)).join(" of ")} MB`;
    if (progress && this.loading && !this.started) this.showLoading();
  }

  showLoading(move) {
    const { words, later } = this.loading;
    this.tell({ type: "waiting", move, words: `${words}${this.started ? "" : this.loaded}.${later}` });
  }

  /** Begin to use the new version that waits, which reloads the page. */
  async update() {
    const { waiting } = await navigator.serviceWorker.getRegistration();
    if (waiting) waiting.postMessage("use");
    else location.reload();
    return {};
  }

  /** Let the service worker keep the files of all games; resolve when it has them. */
  keep() {
    const kept = this.keeps && navigator.serviceWorker?.controller;
    if (!kept) return { error: UNKEPT };
    const { port1, port2 } = new MessageChannel();
    kept.postMessage("keep", [port2]);
    return new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  }

  async answer(command, body) {
    if (["keep", "update"].includes(command)) return this[command]();
    const { game, options = {}, start, moves = [] } = body;
    if (command === "position" && !start && !moves.length && !Object.keys(options).length)
      return this.starts[game];
    const { role } = body, name = role === undefined ? "page" : ROLES[role] ?? role;
    if (command === "stop" && !this.workers.has(name)) return {};
    let worker = await this.worker(name);
    if (worker.searches && MODE === "block" && !body.move) { // the worker takes no messages during a search: replace it
      worker.terminate();
      this.workers.delete(name);
      worker = await this.worker(name);
      worker.words = AGAIN;
    }
    if (command === "think") worker.searches = true;
    const move = command === "position" && moves.at(-1);
    if (!worker.runs && (name !== "play" || worker.words)) {
      this.loading = { words: worker.words ?? LOADING, later: move ? ` ${LATER}` : "" };
      this.showLoading(move);
    }
    const id = this.asked += 1;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      worker.postMessage(JSON.stringify({ id, command, body }));
    });
  }

  /** Return the worker of this name; start it the first time. */
  async worker(name) {
    await this.ready;
    if (!this.workers.has(name)) {
      const made = new Worker(this.script);
      made.onmessage = ({ data }) => this.take(made, JSON.parse(data));
      made.onerror = ({ message }) => this.fail(message);
      this.workers.set(name, made);
    }
    return this.workers.get(name);
  }

  take(worker, told) {
    if (!worker.runs) this.tell({ type: "ready" });
    worker.runs = true;
    this.loading = null;
    this.started = true; // later workers need no more files to start
    if (LAST.includes(told.type)) worker.searches = false;
    if (told.type && (told.type !== "hello" || this.lost)) {
      this.lost = false;
      this.tell(told);
    }
    if (told.type) return;
    this.waiting.get(told.id)(told.answer);
    this.waiting.delete(told.id);
  }

  /** End all workers, since one has failed. */
  fail(reason) {
    for (const worker of this.workers.values()) worker.terminate();
    this.workers.clear();
    for (const resolve of this.waiting.values()) resolve({ error: reason });
    this.waiting.clear();
    this.lost = true;
    this.tell({ type: "lost", error: reason });
  }
}
