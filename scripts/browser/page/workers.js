// The page as static files: workers of the browser take the server's place (see site.py).  One
// answers the commands about games, and each of the others runs engines.

const ROLES = { 0: "play", 1: "play", hint: "play" }; // which engines share a worker
const PATIENCE = 3000; // milliseconds to wait for the service worker
const WAITING = "Python is loading: your move will be played as soon as it is there.";

/** Let the service worker fetch and keep all files, if the browser has one here. */
async function keepFiles() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return;
  await new Promise((resolve) => {
    serviceWorker.addEventListener("controllerchange", resolve);
    serviceWorker.register("service.js").catch(resolve);
    setTimeout(resolve, PATIENCE);
  });
}

export class Workers {
  /** starts: the views of the games' starting positions.  tell(event): takes events. */
  constructor(starts, tell) {
    Object.assign(this, { starts, tell, workers: new Map(), asked: 0, ready: keepFiles() });
    this.waiting = new Map(); // number of a command -> the function that takes its answer
    for (const name of ["page", "play"]) this.worker(name);
  }

  /** Answer a command. */
  async answer(command, body) {
    const { game, options = {}, start, moves } = body;
    if (command === "position" && !start && !moves.length && !Object.keys(options).length)
      return this.starts[game];
    const role = command === "review" ? command : body.role;
    const worker = await this.worker(role === undefined ? "page" : ROLES[role] ?? role);
    if (!worker.runs && command !== "think") this.tell({ type: "waiting", words: WAITING });
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
      const made = new Worker("plyglot.js", { name, type: "module" });
      made.onmessage = ({ data }) => this.take(made, JSON.parse(data));
      made.onerror = ({ message }) => this.fail(message);
      this.workers.set(name, made);
    }
    return this.workers.get(name);
  }

  take(worker, told) {
    worker.runs = true;
    if (told.type) {
      this.tell(told);
      return;
    }
    this.waiting.get(told.id)(told.answer);
    this.waiting.delete(told.id);
  }

  /** End all workers, since one has failed. */
  fail(reason) {
    for (const worker of this.workers.values()) worker.terminate();
    this.workers.clear();
    for (const resolve of this.waiting.values()) resolve({ error: reason });
    this.waiting.clear();
    this.tell({ type: "lost", error: reason });
  }
}
