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

async function start() {
  const settings = await (await fetch(new URL("plyglot.json", home))).json();
  const folder = new URL(settings.pyodide, home);
  const [{ loadPyodide }, archive] = await Promise.all([
    import(new URL("pyodide.mjs", folder)),
    fetch(new URL("plyglot.zip", home)).then((answer) => answer.arrayBuffer()),
  ]);
  const python = await loadPyodide({ indexURL: folder.href });
  python.unpackArchive(archive, "zip", { extractDir: ROOT });
  for (const name of settings.data) { // fetched when they are first read
    const [, place, file] = /(.*)\/(.*)/.exec(name);
    python.FS.createLazyFile(`${ROOT}/${place}`, file, new URL(name, home).href, true, false);
  }
  python.runPython(`import sys; sys.path.insert(0, "${ROOT}")`);
  const { run_page: run } = python.pyimport("scripts.browser.worker");
  await run.callPromising(next, hasNews, (line) => self.postMessage(line));
}

start();
