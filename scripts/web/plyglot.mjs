// Plyglot as a module, in a page and under Node: `import { Plyglot } from "plyglot"` with the npm
// package that `scripts/board --site` writes.  Types and explanations: plyglot.d.mts.

const node = typeof process === "object" && Boolean(process.versions?.node);

/** Start plyglot.js under Node, as a thread. */
async function startThread(files, settings, take, fail) {
  const { Worker } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads");
  const argv = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const worker = new Worker(new URL("plyglot.js", files), { argv });
  worker.on("message", take).on("error", fail).on("exit", () => fail(new Error("the engine has ended")));
  return worker;
}

/** Start plyglot.js in a page, from a blob if the files are on another server. */
async function startWorker(files, settings, take, fail) {
  let script = new URL("plyglot.js", files).href;
  if (new URL(script).origin !== self.location.origin) {
    const answer = await fetch(script);
    if (!answer.ok) throw new Error(`${script}: ${answer.status} ${answer.statusText}`);
    script = URL.createObjectURL(await answer.blob());
  }
  const worker = new Worker(`${script}#${new URLSearchParams({ files, ...settings })}`);
  worker.onmessage = ({ data }) => take(data);
  worker.onerror = ({ message }) => fail(new Error(message));
  return worker;
}

export class Plyglot {
  #listeners = new Set();
  #searches = []; // {resolve, reject, lines}, the running one first
  #worker;
  #failed = null;

  constructor({ files = new URL(".", import.meta.url), ...settings } = {}) {
    const address = new URL(files, node ? import.meta.url : self.location.href).href;
    const start = node ? startThread : startWorker;
    this.#worker = start(address, settings, (line) => this.#take(line), (error) => this.#fail(error));
    this.#worker.catch((error) => this.#fail(error));
  }

  send(line) {
    this.#worker.then((worker) => worker.postMessage(line), () => {});
  }

  onLine(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  go(limits = "") {
    if (this.#failed) return Promise.reject(this.#failed);
    this.send(`go ${limits}`);
    return new Promise((resolve, reject) => this.#searches.push({ resolve, reject, lines: [] }));
  }

  terminate() {
    this.#fail(new Error("the engine was terminated"));
    this.#worker.then((worker) => worker.terminate(), () => {});
  }

  #take(line) {
    this.#searches[0]?.lines.push(line);
    for (const listener of this.#listeners) listener(line);
    const [word, move, , ponder = null] = line.split(" ");
    if (word !== "bestmove" || !this.#searches.length) return;
    const { resolve, lines } = this.#searches.shift();
    resolve({ move: move === "(none)" ? null : move, ponder, lines });
  }

  #fail(error) {
    this.#failed ??= error;
    for (const { reject } of this.#searches.splice(0)) reject(this.#failed);
  }
}
