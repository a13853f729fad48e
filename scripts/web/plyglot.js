// Plyglot in a browser or under Node: a Web Worker that speaks UCI by messages, one line each.
//
//   const engine = new Worker("plyglot.js");
//   engine.onmessage = (event) => console.log(event.data);
//   engine.postMessage("uci");
//
// Any other protocol of the engine works, too; the first line decides.  `node plyglot.js` speaks on
// stdin and stdout.  Beside this file `scripts/board --site` (scripts/browser/site.py) puts
//
//   plyglot.tar.gz  the project, which names the files of the games' data in data.json
//   games/          the games' data, fetched when a game first needs it
//   pyodide/        the npm package `pyodide`: CPython for WebAssembly
//
// Under Node, a checkout of the project is enough.  The address may name another folder of Pyodide and
// another program (protocol/messages.py): plyglot.js?pyodide=...&program=module:function.  A worker from
// a blob needs these words after a #, with files=ADDRESS of plyglot.js.  Under Node they are options
// (--pyodide FOLDER), also of a thread: new Worker("plyglot.js", { argv: [...] }).
//
// Python looks for messages while it searches, in the first of these ways that works here:
//
//   suspend   JavaScript Promise Integration suspends the Python stack
//   share     Python runs in a worker of its own, and reads a buffer that both share
//   block     it can't: a search without a limit ends at once; to stop any other search, end the worker
//
// mode=suspend|share|block forces one.

(() => {
  "use strict";

  const node = typeof process === "object" && Boolean(process.versions?.node);
  const ARCHIVE = "plyglot.tar.gz";
  const ROOT = "/plyglot"; // the project's folder, as Python sees it
  const MODES = ["suspend", "share", "block"];
  const SIZE = 1 << 20; // bytes of the shared buffer
  const COUNT = 0; // index of the number of bytes in the buffer, which is 0 once they are taken
  const IO_ERROR = 29; // the number of this error in WebAssembly
  const END = "\u0004"; // sent after the last message

  // ---- the settings --------------------------------------------------------------------

  function settings() {
    if (!node) {
      const { href, search, hash, protocol } = self.location;
      const query = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`); // a blob's address has no query
      const files = query.get("files") || href;
      if (files === href && protocol === "blob:") throw new Error("a worker from a blob needs #files=ADDRESS, that of plyglot.js");
      const here = (name) => new URL(name, files).href;
      return {
        pyodide: here(query.get("pyodide") || "pyodide/"),
        project: here(ARCHIVE),
        program: query.get("program") || "protocol.messages:engine",
        mode: modeOf(query.get("mode")),
      };
    }
    const path = require("path"), fs = require("fs"), text = { type: "string" };
    const options = { pyodide: text, program: text, mode: text };
    const given = require("util").parseArgs({ options }).values;
    const beside = path.join(__dirname, ARCHIVE);
    return {
      pyodide: given.pyodide ? path.resolve(given.pyodide) : pyodideFolder(path, fs),
      project: fs.existsSync(beside) ? beside : path.resolve(__dirname, "..", ".."),
      program: given.program || "protocol.messages:engine",
      mode: modeOf(given.mode),
    };
  }

  function pyodideFolder(path, fs) {
    const beside = path.join(__dirname, "pyodide");
    if (fs.existsSync(beside)) return beside;
    try {
      return path.dirname(require.resolve("pyodide", { paths: [process.cwd(), __dirname] }));
    } catch {
      const reason = "the npm package pyodide is missing: install it here, or name its folder by --pyodide";
      throw Object.assign(new Error(reason), { status: 69 });
    }
  }

  // Return the mode that the settings name, or the best one that works here.
  function modeOf(name) {
    if (name && !MODES.includes(name)) throw new Error(`mode must be one of ${MODES.join(", ")}, not "${name}"`);
    if (name) return name;
    if (typeof WebAssembly.Suspending === "function") return "suspend";
    return node || self.crossOriginIsolated ? "share" : "block";
  }

  // ---- messages that wait for Python ---------------------------------------------------

  class Inbox {
    #messages = [];
    #arrived = () => {};

    add(message) {
      this.#messages.push(message);
      this.#arrived();
    }

    take() {
      return this.#messages.shift();
    }

    // Resolve when there is a message, at the latest after `seconds`.
    async wait(seconds) {
      if (this.#messages.length) return;
      if (seconds === 0) return turn();
      let timer;
      await new Promise((resolve) => {
        this.#arrived = resolve;
        if (seconds !== undefined && seconds !== null) timer = setTimeout(resolve, seconds * 1000);
      });
      clearTimeout(timer);
    }
  }

  // Resolve once the events that have happened are handled.  (setTimeout would take 4 ms.  Under Node
  // a message, as below, would be handled before the lines of the input.)
  function turn() {
    if (node) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
  }

  const channel = new MessageChannel();

  // ---- Python --------------------------------------------------------------------------

  async function loadPython({ pyodide, project }) {
    const place = node ? require("url").pathToFileURL(`${pyodide}/pyodide.mjs`).href : `${pyodide}pyodide.mjs`;
    const checkout = node && require("fs").statSync(project).isDirectory();
    const [{ loadPyodide }, archive] = await Promise.all([load(place), checkout || contents(project)]);
    const python = await loadPyodide({ indexURL: pyodide, stdout: console.error, stderr: console.error });
    if (checkout) python.mountNodeFS(ROOT, project);
    else unpack(python.FS, archive, project);
    python.runPython(`import sys; sys.path.insert(0, "${ROOT}"); sys.dont_write_bytecode = True`);
    return python;
  }

  // Import a module; throw a clear error if the server sends it as another type.
  async function load(place) {
    try {
      return await import(place);
    } catch (error) {
      const answer = node ? null : await fetch(place).catch(() => null);
      const type = answer?.headers.get("Content-Type") || "nothing";
      if (!answer?.ok || /javascript/.test(type)) throw error;
      throw new Error(`${place} is served as ${type}: the server must send .mjs files as text/javascript`);
    }
  }

  // Return the bytes of a compressed file.
  async function contents(address) {
    const answer = node ? new Response(require("fs").readFileSync(address)) : await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    const stream = answer.body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Write the files of a tar archive.  The files that its data.json names lie beside the archive, and
  // are read when they are needed.
  function unpack(files, bytes, project) {
    const text = (at, size) => new TextDecoder().decode(bytes.subarray(at, at + size)).split("\0")[0];
    const folder = (name) => `${ROOT}/${name}`.replace(/\/[^/]*$/, "");
    let last = "";
    for (let at = 0; bytes[at]; ) {
      const name = text(at, 100), size = parseInt(text(at + 124, 12), 8);
      if (folder(name) !== last) files.mkdirTree((last = folder(name)));
      files.writeFile(`${ROOT}/${name}`, bytes.subarray(at + 512, at + 512 + size));
      at += 512 * (1 + Math.ceil(size / 512));
    }
    for (const name of JSON.parse(files.readFile(`${ROOT}/data.json`, { encoding: "utf8" }))) {
      if (node) {
        const { join, dirname } = require("path");
        files.writeFile(`${ROOT}/${name}`, require("fs").readFileSync(join(dirname(project), name)));
      } else {
        fetchLater(files, files.createFile(folder(name), name.split("/").pop(), {}, true, false), new URL(name, project));
      }
    }
  }

  // Fetch a file's contents when Python first asks for them or for their size.
  function fetchLater(files, file, address) {
    let bytes = null;
    const fetched = () => {
      if (bytes) return bytes;
      const request = new XMLHttpRequest();
      request.open("GET", address, false);
      request.responseType = "arraybuffer";
      try { request.send(); } catch {} // there is no network
      if (request.status !== 200) throw new files.ErrnoError(IO_ERROR);
      return (bytes = new Uint8Array(request.response));
    };
    Object.defineProperties(file, { contents: { get: fetched }, usedBytes: { get: () => fetched().length } });
  }

  // Run the program until it is over.  take, wait: see protocol/messages.py.
  async function run(given, post, take, wait) {
    const python = await loadPython(given);
    const { Program, find } = python.pyimport("protocol.messages");
    const start = find(given.program), suspends = given.mode === "suspend";
    if (!start) throw new Error(`no such program: ${given.program}`);
    const program = Program(start, post, take, suspends ? wait : undefined, given.mode === "block");
    if (suspends) await program.run.callPromising();
    else while (!program.run()) await wait();
  }

  // ---- Python in a worker of its own ---------------------------------------------------

  function shared() {
    return { words: new Int32Array(new SharedArrayBuffer(4)), bytes: new Uint8Array(new SharedArrayBuffer(SIZE)) };
  }

  // Write messages to the buffer whenever Python has taken the earlier ones.
  class Feeder {
    #text = "";
    #encoder = new TextEncoder();
    #scratch = new Uint8Array(SIZE);

    constructor({ words, bytes }) {
      this.words = words;
      this.bytes = bytes;
    }

    add(message) {
      this.#text += `${message || END}\n`;
      this.feed();
    }

    feed() {
      if (Atomics.load(this.words, COUNT) !== 0 || !this.#text) return;
      const { read, written } = this.#encoder.encodeInto(this.#text, this.#scratch);
      this.bytes.set(this.#scratch.subarray(0, written));
      this.#text = this.#text.slice(read);
      Atomics.store(this.words, COUNT, written);
      Atomics.notify(this.words, COUNT);
    }
  }

  function takeFromBuffer({ words, bytes }, taken) {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const lines = [];
    let rest = "";
    return (seconds) => {
      while (!lines.length) {
        if (Atomics.load(words, COUNT) === 0) {
          if (seconds === 0) return undefined;
          const limit = seconds === undefined || seconds === null ? Infinity : seconds * 1000;
          if (Atomics.wait(words, COUNT, 0, limit) === "timed-out") return undefined;
        }
        const sent = bytes.slice(0, Atomics.load(words, COUNT));
        const pieces = (rest + decoder.decode(sent, { stream: true })).split("\n");
        rest = pieces.pop();
        lines.push(...pieces);
        Atomics.store(words, COUNT, 0);
        taken();
      }
      return lines[0] === END ? "" : lines.shift() || " "; // "" means the end, so an empty line becomes " "
    };
  }

  // ---- the places where it runs --------------------------------------------------------

  const NAME = "plyglot: Python"; // of the inner worker

  // Pyodide needs a worker of type "module".  The worker that the page has made only passes messages on.
  function inBrowser() {
    const given = settings(), buffer = given.mode === "share" ? shared() : null;
    const inner = new Worker(self.location.href, { type: "module", name: NAME });
    const feeder = buffer && new Feeder(buffer);
    inner.onmessage = ({ data }) => {
      if (data.taken) feeder.feed();
      else if (data.over) self.close();
      else if (data.error) setTimeout(() => { throw new Error(data.error); }); // for the page's onerror
      else self.postMessage(data.message);
    };
    inner.postMessage({ given, shared: buffer });
    // An empty message is an empty line; the end is for Node's input alone.
    self.onmessage = ({ data }) => {
      const line = String(data) || " "; // the page may have sent a value of any type
      if (feeder) feeder.add(line);
      else inner.postMessage(line);
    };
  }

  function insideBrowser() {
    const inbox = new Inbox();
    self.onmessage = async ({ data: first }) => {
      self.onmessage = ({ data }) => inbox.add(data);
      try {
        await run(first.given, (message) => self.postMessage({ message }), taker(first, inbox, self), (seconds) => inbox.wait(seconds));
        self.postMessage({ over: true });
      } catch (error) {
        self.postMessage({ error: error.message });
      }
    };
  }

  function taker({ given, shared }, inbox, port) {
    if (given.mode === "share") return takeFromBuffer(shared, () => port.postMessage({ taken: true }));
    return () => inbox.take();
  }

  // port: that of the thread that has started this one, null for stdin and stdout.
  async function underNode(port) {
    const { Worker } = require("worker_threads");
    const given = settings();
    const write = port ? (line) => port.postMessage(line) : (line) => process.stdout.write(`${line}\n`);
    const lines = port ?? require("readline").createInterface({ input: process.stdin });
    const read = (inbox) => lines.on(port ? "message" : "line", (line) => inbox.add(String(line) || " ")).on("close", () => inbox.add(""));
    const leave = (status) => process.stdout.write("", () => process.exit(status));
    if (given.mode !== "share") {
      const inbox = new Inbox();
      read(inbox);
      await run(given, write, () => inbox.take(), (seconds) => inbox.wait(seconds));
      return leave(0);
    }
    const buffer = shared(), feeder = new Feeder(buffer);
    const inner = new Worker(__filename, { workerData: { given, shared: buffer } });
    inner.on("message", (data) => (data.taken ? feeder.feed() : write(data.message)));
    read(feeder);
    // An error comes before the end, and must reach the parent before this thread ends.
    leave(await new Promise((resolve, reject) => inner.on("error", reject).on("exit", resolve)));
  }

  function insideNode() {
    const { parentPort, workerData } = require("worker_threads");
    return run(workerData.given, (message) => parentPort.postMessage({ message }), taker(workerData, null, parentPort));
  }

  function fail(error) {
    console.error(`plyglot.js: ${error.message}`);
    process.exit(error.status ?? 1);
  }

  function startNode() {
    const { isMainThread, parentPort, workerData } = require("worker_threads");
    if (isMainThread) underNode(null).catch(fail);
    else if (workerData?.given) insideNode();
    else underNode(parentPort).catch((error) => setImmediate(() => { throw error; })); // for the parent
  }

  if (node) startNode();
  else (self.name === NAME ? insideBrowser : inBrowser)();
})();
