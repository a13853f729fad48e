// Plyglot in a Web Worker: the page's commands by messages (scripts/browser/worker.py).  plyglot.json,
// beside it, names its files.

const ROOT = "/plyglot"; // of the project, in the worker's own files
const PACE = 15; // milliseconds of a search between two looks at the messages
const home = new URL(".", self.location.href);
const lines = []; // that have arrived
let wake = null; // called when a line arrives
let looked = 0; // when the messages were looked at
const turn = new MessageChannel();

self.onmessage = ({ data }) => {
  lines.push(data);
  wake?.();
};

/** Resolve to the next line; to undefined if none arrives within `seconds` (undefined: no limit). */
async function next(seconds) {
  if (!lines.length)
    await new Promise((resolve) => {
      wake = resolve;
      if (seconds) setTimeout(resolve, 1000 * seconds);
      if (seconds === 0) { // until the messages that wait are handled
        turn.port1.onmessage = resolve;
        turn.port2.postMessage(null);
      }
    });
  wake = null;
  looked = performance.now();
  return lines.shift();
}

const hasNews = () => lines.length > 0 || performance.now() - looked > PACE;

/** Return the files of a compressed tar archive: [[name, bytes]]. */
async function unpacked(address) {
  const { body } = await fetch(address);
  const stream = new Response(body.pipeThrough(new DecompressionStream("gzip")));
  const bytes = new Uint8Array(await stream.arrayBuffer()), files = [];
  const text = (at, size) => new TextDecoder().decode(bytes.subarray(at, at + size)).split("\0")[0];
  for (let at = 0; bytes[at]; ) {
    const size = parseInt(text(at + 124, 12), 8);
    files.push([text(at, 100), bytes.subarray(at + 512, at + 512 + size)]);
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}

async function start() {
  const settings = await (await fetch(new URL("plyglot.json", home))).json();
  const folder = new URL(settings.pyodide, home);
  const [{ loadPyodide }, files] = await Promise.all([
    import(new URL("pyodide.mjs", folder)),
    unpacked(new URL("plyglot.tar.gz", home)),
  ]);
  const python = await loadPyodide({ indexURL: folder.href });
  for (const [name, data] of files) {
    python.FS.mkdirTree(`${ROOT}/${name}`.replace(/\/[^/]*$/, ""));
    python.FS.writeFile(`${ROOT}/${name}`, data);
  }
  for (const name of settings.data) { // fetched when they are first read
    const [, place, file] = /(.*)\/(.*)/.exec(name);
    python.FS.createLazyFile(`${ROOT}/${place}`, file, new URL(name, home).href, true, false);
  }
  python.runPython(`import sys; sys.path.insert(0, "${ROOT}")`);
  const { run_page: run } = python.pyimport("scripts.browser.worker");
  await run.callPromising(next, hasNews, (line) => self.postMessage(line));
}

start();
