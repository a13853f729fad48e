// Records and positions: files, the clipboard, links; and the page as a file, which holds annotated
// games and needs no server.

import { app, guarded, opening, say, showTable } from "./app.js";
import { ask, download, id, options, showText } from "./dom.js";
import { fromRecord, linkWords } from "./game.js";
import { keepNow } from "./keeping.js";
import { learn } from "./learn.js";
import { forget, kept, rememberFile, rememberedFile } from "./store.js";
import { call } from "./transport.js";

const LONGEST_LINK = 8_000; // characters that browsers and mail programs handle
// Words of a link, besides options.
const LINKED = "game start moves at tree title lesson picture search step depth boards".split(" ");
const LONGEST_FILE = 50e6, PIECE = 3e6; // bytes
const LISTED = 200; // titles that the list shows

let opened = null; // the open file: {key, titles, whole: are these all?, load(index): resolves to a game's record}

/** Put the first game or position of a file on the board, and list the others. */
async function read(file) {
  if (file.size > LONGEST_FILE)
    throw new Error(`This file has ${megabytes(file.size)} MB, but the page opens `
      + `${megabytes(LONGEST_FILE)} MB at most: split it, or use scripts/analyse.`);
  const kind = app.game.setup.game, { game, at, problems } = await openFile(file, kind);
  guarded(rememberFile)(file, kind);
  await app.show("analyse");
  await open(game, { at });
  if (problems.length) say(problems.slice(0, 3).join("; "), true);
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const asFile = (text) => new File([text], idOf(text), { lastModified: 0 });

/** Make a file the open one; return the answer of `read` about its first game. */
async function openFile(file, game) {
  const key = idOf([file.name, file.size, file.lastModified, game]);
  const about = async (command, words) => {
    const body = { file: key, ...words }, found = await call(command, body);
    if (!found.forgotten) return found;
    await upload(file, key, game);
    return call(command, body);
  };
  const found = await about("read");
  opened = { key, titles: [], whole: false, load: async (at) => (await about("read", { at })).game };
  id("number").value = 1;
  guarded(findTitles)(opened, about);
  return found;
}

async function upload(file, key, game) {
  let at = 0;
  do {
    let bytes = "";
    for (const byte of new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()))
      bytes += String.fromCharCode(byte);
    await call("upload", { file: key, game, at, data: btoa(bytes), last: at + PIECE >= file.size });
    at += PIECE;
    if (at < file.size) say(`${megabytes(at)} of ${megabytes(file.size)} MB read`);
  } while (at < file.size);
}

/** Add the titles of an open file to the list, as they are found. */
async function findTitles(own, about) {
  while (!own.whole && own === opened) {
    const { titles, share } = await about("titles", { begin: own.titles.length });
    Object.assign(own, { titles: own.titles.concat(titles), whole: share === 1 });
    if (own === opened) list();
  }
}

/** List the games of the open file whose titles contain the text sought, LISTED at most. */
function list() {
  const { titles, whole } = opened, sought = id("find").value.trim().toLowerCase();
  const numbered = (some) => some.map((title, at) => [at, `${at + 1}. ${title}`]);
  const found = sought ? numbered(titles).filter(([, name]) => name.toLowerCase().includes(sought))
    : numbered(titles.slice(0, LISTED));
  const shown = options(found.slice(0, LISTED)), box = id("chosen");
  if (shown.length !== box.length || shown.some((each, at) => !each.isEqualNode(box[at])))
    box.replaceChildren(...shown); // not if nothing changed, since the user may be choosing
  id("game-number").hidden = titles.length <= LISTED;
  id("number").max = titles.length;
  id("left-out").textContent = `of ${titles.length}${whole ? "" : " …"}`
    + (found.length > LISTED ? `, ${found.length} with this text` : "");
  listed(app.game);
}

/** Show which game of the open file is on the board, and whether it differs from the one there.  The
 * list is hidden while a match is played. */
function listed(game) {
  id("which-game").hidden = !(opened?.titles.length > 1) || Boolean(game?.match);
  id("original").hidden = !game?.isChanged;
  const at = game?.inFile?.key === opened?.key ? game?.inFile?.at : -1;
  id("chosen").value = at;
  if (at >= 0) id("number").value = at + 1;
}

/** Reopen the file that this window had before a reload. */
async function reopen() {
  const { file, game } = await rememberedFile() ?? {};
  if (file && !opened) await openFile(file, game);
}

/** Return an id for a record, the same whenever it is opened. */
function idOf(record) {
  let digest = 0;
  for (const char of JSON.stringify(record))
    digest = (Math.imul(digest, 31) + char.codePointAt(0)) | 0;
  return `record${digest}`;
}

/** Put a record on the board, the first player below.  If it was opened before, show it as the user
 * left it.
 * ply: the place in it, by default its start.  at: its index in the open file.  keeping: save the
 * former game first.  filed: is the record from a file, whose main line stays? */
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

/** Restore a game as it is in its file, without the user's changes. */
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
  choices.push({ label: "One HTML page", value: "html" }, { label: "Cancel", value: null });
  const format = await ask("Save the game as", choices);
  if (!format) return;
  const { text, suffix } = await call("write", { ...game.plain(), format });
  download(text, `${name}${suffix}`);
  say(`Saved as ${name}${suffix}`);
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
    showText(`${what}: copy it with the keyboard`, text);
  }
}

/** Open a file that is dropped on the page: without this, the browser would show it instead of the page. */
async function dropped(event) {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  await opening(read)(file);
}

/** Open the pasted text.  If it is refused, keep it in the box and show the reason. */
async function openPasted(event) {
  event.preventDefault();
  id("paste-error").textContent = "";
  try {
    await read(asFile(id("pasted").value));
    id("paste-box").close();
    id("pasted").value = "";
  } catch (error) {
    id("paste-error").textContent = error.message;
  }
}

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
    if (file) await opening(read)(file);
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
    if (event.key === "Enter") guarded(opening(read))(asFile(id("position").value));
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
  opened = { titles: games.map((game) => game.title), whole: true, load: (at) => games[at] };
  const [, number, ply] = /^#(\d+)\.(\d+)$/.exec(location.hash) ?? [];
  await app.show("analyse");
  list();
  app.changed = () => history.replaceState(null, "",
    `#${Number(id("chosen").value) + 1}.${app.game.current.path.length}`);
  await choose(Math.min(games.length, Number(number ?? 1)), Number(ply ?? 0));
}
