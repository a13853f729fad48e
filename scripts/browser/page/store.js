// Saved games and settings in the browser's storage.  They survive a reload, a switch to another
// game or tab, and a restart of the server.

const GAME = "plyglot/game/", LIKED = "plyglot/liked";
const PUZZLES = "plyglot/puzzles", MAX_PUZZLES = 500;
const MAX_GAMES = 60; // number of games to keep, newest first
const MAX_FILES = 5; // number of files to keep, of all windows, newest first
const RELEASED = 1000; // milliseconds to wait for a reloading page to release its game

// The parts that stored values must have, since another version of the page may have written them.
const RECORD = { id: "", saved: 0, game: { game: "", players: [""], result: "", line: [{ move: "" }] }, at: [""] };
const MATCH = { sides: [{ strength: "" }], time: "", clocks: [0] };
const PUZZLE = { setup: { game: "" }, moves: [""], played: { move: "" }, best: "", solved: 0, due: 0 };

let held = null; // {id, own, release} of the last game that this page locked, or is locking

/** Is a value like an example: of the same type, with the same parts, or a list of such items? */
function isLike(value, example) {
  if (example === null) return true;
  if (Array.isArray(example))
    return Array.isArray(value) && value.every((each) => !example.length || isLike(each, example[0]));
  if (typeof example !== "object") return typeof value === typeof example;
  return value?.constructor === Object
    && Object.entries(example).every(([name, part]) => isLike(value[name], part));
}

/** Return a setting's value, or `otherwise` if it isn't set. */
export function liked(name, otherwise) {
  const value = read(LIKED, {})?.[name] ?? otherwise;
  return isLike(value, otherwise) ? value : otherwise;
}

export function like(name, value) {
  write(LIKED, { ...read(LIKED, {}), [name]: value });
}

/** Return what this window had before a reload: the game's id, the tab's name or the lesson, or null. */
export const reloaded = (part) => sessionStorage.getItem(`plyglot/${part}`);

/** Store an opened file and the game that it was read for, for a reload. */
export async function rememberFile(file, game) {
  const key = Date.now(), store = await files();
  store.put({ file, game }, key);
  for (const old of (await answered(store.getAllKeys())).slice(0, -MAX_FILES)) store.delete(old);
  remember("file", key);
}

/** Return what rememberFile stored of this window's file: {file, game}, or undefined. */
export const rememberedFile = async () => answered((await files()).get(Number(reloaded("file"))));

/** Return the browser's store of files, which has more room than that of games. */
async function files() {
  const asked = indexedDB.open("plyglot");
  asked.onupgradeneeded = () => asked.result.createObjectStore("files");
  return (await answered(asked)).transaction("files", "readwrite").objectStore("files");
}

/** Resolve to the result of a request to the browser's database. */
const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Store what this window has, for a reload. */
export const remember = (part, value) => sessionStorage.setItem(`plyglot/${part}`, value);

/** Return the match of a saved game, or null if nobody plays it. */
export const matchOf = ({ match }) => (match && isLike(match, MATCH) ? match : null);

/** Return the id of the latest game, of one kind if it is given, or null.  played: only matches? */
export const latest = (kind, played = false) => recent().find((record) =>
  (!kind || record.game.game === kind) && (!played || matchOf(record)))?.id ?? null;

/** Return a saved game (see `keep`), or null if there is none. */
export const kept = (id) => read(GAME + id, RECORD);

/** Return the saved games, latest first. */
export const recent = () => Object.keys(localStorage).filter((key) => key.startsWith(GAME))
  .map((key) => read(key, RECORD)).filter(Boolean).sort((one, other) => other.saved - one.saved);

/** Save a game: {id, game (as Game.plain), at, ...}.  Return false if the storage is full. */
export function keep(record) {
  const others = recent().filter(({ id }) => id !== record.id);
  const saved = Math.max(Date.now(), 1 + (others[0]?.saved ?? 0)); // the clock may have been set back
  if (!write(GAME + record.id, { ...record, saved })) return false;
  remember("id", record.id);
  for (const { id } of others.slice(MAX_GAMES - 1)) forget(id);
  return true;
}

export function forget(id) {
  localStorage.removeItem(GAME + id);
}

export const storedPuzzles = () => (read(PUZZLES, []) ?? []).filter((each) => isLike(each, PUZZLE));

/** Store the puzzles, beside the entries that this page doesn't understand.  Return false if the storage is full. */
export function keepPuzzles(puzzles) {
  const others = (read(PUZZLES, []) ?? []).filter((each) => !isLike(each, PUZZLE));
  return write(PUZZLES, [...others, ...puzzles.slice(-MAX_PUZZLES)]);
}

/** Lock a game for this page.  Return false if another page holds it. */
export async function claim(id) {
  if (!navigator.locks) return true;
  if (held?.id === id) return held.own;
  held?.release();
  const claimed = (held = { id });
  const released = new Promise((resolve) => { claimed.release = resolve; });
  const signal = AbortSignal.timeout(RELEASED);
  claimed.own = new Promise((resolve) => {
    navigator.locks.request(GAME + id, { signal }, () => {
      resolve(true);
      return released;
    }).catch(() => {
      if (held === claimed) held = null;
      resolve(false);
    });
  });
  return claimed.own;
}

/** Return an entry, or null if there is none.  An entry that isn't like the example counts as none, but
 * isn't deleted: a newer page may have written it. */
function read(key, example) {
  try {
    const value = JSON.parse(localStorage.getItem(key));
    return isLike(value, example) ? value : null;
  } catch {
    return null; // not JSON
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
