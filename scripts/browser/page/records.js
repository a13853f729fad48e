// Records and positions: files, the clipboard, links; and the page as a file, which holds annotated
// games and needs no server.

import { app, guarded, opening, say, showTable } from "./app.js";
import { ask, download, id, options, showText } from "./dom.js";
import { factsOf, fromRecord, linkWords } from "./game.js";
import { keepNow } from "./keeping.js";
import { learn } from "./learn.js";
import { forget, kept, reloaded, rememberFile } from "./store.js";
import { call } from "./transport.js";

const REPORT = "html";
const LONGEST_LINK = 8_000; // characters that browsers and mail programs handle
// Words of a link, besides options.
const LINKED = "game start moves at tree title lesson picture search step depth boards".split(" ");
const LONGEST_RECORD = 5_500_000; // bytes or characters, which a command can hold in base64

let opened = null; // the open file: {key, count, titles, load(index): resolves to a game's record}

/** Put the first game or position of a text on the board, and offer the others. */
async function read(text) {
  refuseLong(text.length);
  const { games, problems } = await openText(text, app.game.setup.game);
  rememberFile(text, app.game.setup.game);
  await app.show("analyse");
  await open(games[0], { at: 0 });
  if (problems.length) say(problems.slice(0, 3).join("; "), true);
}

/** Make a text the open file; return the answer of `read`. */
async function openText(text, game) {
  const found = await call("read", { text, game, at: 0 }), { count, titles } = found;
  opened = { key: idOf(text), count, titles,
    load: async (at) => (await call("read", { text, game, at })).games[0] };
  list();
  return found;
}

/** List the games of the open file whose titles have the text sought; of a long file, the first ones. */
function list() {
  const { count, titles } = opened, sought = id("find").value.trim().toLowerCase();
  id("game-number").hidden = count <= titles.length;
  Object.assign(id("number"), { max: count, value: 1 });
  id("left-out").textContent = `of ${count}`;
  const names = titles.map((title, number) => [number, `${number + 1}. ${title}`]);
  id("chosen").replaceChildren(...options(names.filter(([, name]) => name.toLowerCase().includes(sought))));
  listed(app.game);
}

/** Show which game of the open file is on the board.  The list is hidden while a match is played. */
function listed(game) {
  id("which-game").hidden = !(opened?.count > 1) || Boolean(game?.match);
  const at = game?.inFile?.key === opened?.key ? game?.inFile?.at : -1;
  id("chosen").value = at;
  if (at >= 0) id("number").value = at + 1;
}

/** Open the file again that this window had before a reload. */
async function reopen() {
  const [text, game] = JSON.parse(reloaded("file") ?? "[]");
  if (text && !opened) await openText(text, game);
}

function refuseLong(length) {
  if (length > LONGEST_RECORD)
    throw new Error(`This record has ${(length / 1e6).toFixed(1)} MB, but the page opens `
      + `${LONGEST_RECORD / 1e6} MB at most: split it, or use scripts/analyse.`);
}

/** Return an id for a record, the same whenever it is opened. */
function idOf(record) {
  let digest = 0;
  for (const char of JSON.stringify(record))
    digest = (Math.imul(digest, 31) + char.codePointAt(0)) | 0;
  return `record${digest}`;
}

/**
 * Put a record on the board, the first player below.  If it was opened before, show it as the user
 * left it.
 * ply: the place in it, by default its start.  at: its index in the open file.  keeping: save the
 * game before.  filed: is it from a file, whose main line stays?
 */
async function open(record, { ply = 0, at = null, keeping = true, filed = true } = {}) {
  if (keeping) keepNow();
  const name = idOf(record), known = kept(name), game = fromRecord(known?.game ?? record);
  Object.assign(game, { id: name, filed: filed ? record : null,
    inFile: at === null ? null : { key: opened.key, at } });
  const way = [game.root, ...game.through(game.root)];
  await app.go(way[Math.min(ply, way.length - 1)], { game, ready: () => { app.flipped = false; } });
  showTable();
  if (known) say("You opened this game before: it is shown as you left it");
}

/** Bring a game back as its file has it, without what the user has changed since. */
async function original() {
  const { filed, inFile } = app.game;
  const sure = await ask("Bring back the game as in the file?  Your changes will be deleted.", [
    { label: "As in the file", value: "yes" }, { label: "Keep the changes", value: "no" }]);
  if (sure !== "yes") return;
  forget(idOf(filed));
  await open(filed, { at: inFile?.key === opened?.key ? inFile?.at : null, keeping: false });
}

/** Show another game of the file, by its number from 1, after `ply` moves. */
export async function choose(number, ply = 0) {
  await open(await opened.load(number - 1), { ply, at: number - 1 });
  const { players, facts: { title, colours }, caption } = app.game;
  id("report-title").textContent = players.map((name, side) => name || colours[side]).join(" – ");
  id("report-facts").textContent = [title, caption].filter(Boolean).join(" · ");
}

/** Save the game in a format that the user chooses, or as an HTML page. */
async function save() {
  const { game } = app, name = game.setup.game;
  const choices = game.facts.formats.map(([value, label]) => ({ label, value }));
  choices.push({ label: "One HTML page", value: REPORT }, { label: "Cancel", value: null });
  let format = await ask("Save the game as", choices);
  if (!format) return;
  if (format === REPORT) {
    const { text } = await call("report", { games: [game.plain()] });
    download(text, `${name}.html`, "text/html");
  } else {
    const body = { ...game.plain(), line: game.line(), moves: [] };
    const { text, suffix } = await call("write", { ...body, format });
    download(text, `${name}${suffix}`);
    format = suffix.slice(1);
  }
  say(`Saved as ${name}.${format}`);
}

/** Return a link to the game's line on the board, and to the place in it. */
function link() {
  const { setup, current } = app.game, at = current.path.length;
  const moves = app.game.through().map(({ move }) => move);
  return linkTo({ ...linkWords({ ...setup, moves }), ...(moves.length > at && { at }) });
}

/** Return the address of this page with words after its #. */
function linkTo(words) {
  const address = `${location.href.split("#")[0]}#${new URLSearchParams(words)}`;
  if (address.length > LONGEST_LINK)
    throw new Error("this game is too long for a link: save it as a file");
  return address;
}

/** Open the game or tree that a link names. */
export async function follow(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, "")), options = {};
  for (const [name, value] of words) {
    const [, option] = /^option\.(.*)/.exec(name) ?? [];
    if (option) options[option] = value;
    else if (!LINKED.includes(name)) throw new Error(`this link is damaged: unknown word "${name}"`);
  }
  if (words.has("tree") || words.has("lesson")) {
    await app.show("learn");
    await learn.follow(words, null);
    return;
  }
  if (!words.has("game")) throw new Error("this link is damaged: it names no game");
  const setup = { game: words.get("game"), options, start: words.get("start") };
  const moves = (words.get("moves") ?? "").split(" ").filter(Boolean);
  const at = words.get("at") ?? String(moves.length);
  if (!/^\d+$/.test(at) || at > moves.length)
    throw new Error(`at must be a number of moves, 0 to ${moves.length}, not "${at}"`);
  const record = await call("line", { ...setup, moves });
  await app.show(words.has("depth") ? "learn" : "analyse");
  await open(record, { ply: Number(at), filed: false });
  if (words.has("depth")) await learn.follow(words, app.game.body());
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch { // only pages at https or on this machine may copy
    showText(`${what}: copy it by the keyboard`, text);
  }
}

/** Open a file; the server detects its encoding. */
async function openFile(file) {
  refuseLong(file.size);
  let bytes = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) bytes += String.fromCharCode(byte);
  await read((await call("decode", { data: btoa(bytes) })).text);
}

/** Open a file that is dropped on the page, which the browser would show in the page's place. */
async function dropped(event) {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  await opening(openFile)(file);
}

/** Open the pasted text.  If it is refused, keep it in the box and show the reason. */
async function openPasted(event) {
  event.preventDefault();
  id("paste-error").textContent = "";
  try {
    await read(id("pasted").value);
    id("paste-box").close();
    id("pasted").value = "";
  } catch (error) {
    id("paste-error").textContent = error.message;
  }
}

/** Set up the buttons. */
export function startRecords() {
  app.listed = listed;
  guarded(reopen)();
  id("find").addEventListener("input", list);
  const clicked = (name, work) => id(name).addEventListener("click", guarded(work));
  id("file").accept = app.facts.suffixes;
  id("paste-formats").textContent = app.facts.records;
  clicked("open", () => id("file").click());
  id("file").addEventListener("change", guarded(async () => {
    const [file] = id("file").files;
    id("file").value = ""; // so that choosing the same file again is a change
    if (file) await opening(openFile)(file);
  }));
  addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", guarded(dropped));
  id("number").addEventListener("change", guarded(opening(() => choose(Number(id("number").value)))));
  clicked("paste", () => {
    id("paste-error").textContent = "";
    id("paste-box").showModal();
  });
  clicked("paste-open", openPasted);
  clicked("save", save);
  clicked("original", original);
  clicked("link", async () => copy(link(), "Link"));
  clicked("tree-link", async () => copy(linkTo(learn.link()), "Link"));
  clicked("copy-position", async () => copy(id("position").value, "Position"));
  id("position").addEventListener("keydown", (event) => {
    if (event.key === "Enter") guarded(opening(read))(id("position").value);
  });
  addEventListener("hashchange", guarded(opening(() => follow(location.hash))));
}

// ---- the page as a file ----------------------------------------------------------------

/** Show the file's games, one at a time. */
export async function showReport() {
  document.body.classList.add("report");
  const { games, title } = await call("embedded");
  document.title = title;
  app.listed = listed;
  opened = { count: games.length, titles: games.map((game) => game.title), load: (at) => games[at] };
  const [, number, ply] = /^#(\d+)\.(\d+)$/.exec(location.hash) ?? [];
  await app.show("analyse");
  list();
  id("bar").hidden = false;
  app.changed = () => history.replaceState(null, "",
    `#${Number(id("chosen").value) + 1}.${app.game.current.path.length}`);
  await choose(Math.min(games.length, Number(number ?? 1)), Number(ply ?? 0));
}
