// Saved games and settings in the browser's storage.  They survive a reload, a switch to another
// game or tab, and a restart of the server.

const GAME = "plyglot/game/", CURRENT = "plyglot/current/", LIKED = "plyglot/liked";
const ORDER = "plyglot/order"; // ids of games, latest first: the clock may be set back
const PUZZLES = "plyglot/puzzles", MAX_PUZZLES = 500;
const MAX_GAMES = 60; // number of games to keep, newest first
const RELEASED = 1000; // milliseconds to wait for a reloading page to release its game

let held = null; // {id, release} of the game that only this page may write

// Anything may have written to the storage, so each entry is checked when it is read.

const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const isObject = (value) => value?.constructor === Object;
const isList = (value, isItem) => Array.isArray(value) && value.every(isItem);
const isTime = (value) => isText(value) && /^(move|clock) [\d.]+( [\d.]+)?$/.test(value);
const isSide = (side) => isObject(side) && isText(side.strength)
  && (side.who === "you" || Number.isInteger(side.who));
const isPair = (value, isItem) => isList(value, isItem) && value.length === 2;
const isLine = (line) => isList(line, (step) => isObject(step) && isText(step.move)
  && isList(step.variations ?? [], isLine));
const isCount = (value) => value === null || Number.isInteger(value);
const SETTINGS = { engine: isFlag, last: isText, sides: (sides) => isPair(sides, isSide),
  sound: isFlag, time: isTime, shortcuts: isFlag, threads: isCount, hash: isCount,
  colours: (value) => ["", "light", "dark"].includes(value),
  limit: (value) => isText(value) && /^((movetime|nodes) \d+)?$/.test(value) };

const isView = (view) => isObject(view) && isText(view.text) && isList(view.moves, isObject)
  && isPair(view.colours, isText);
const isRecord = ({ id, game, at, view, sides, time, clocks }) => isText(id) && isObject(game)
  && isText(game.game) && isPair(game.players, isText) && isText(game.result) && isLine(game.line)
  && isList(at, isText) && isPair(sides, isSide) && isTime(time) && isPair(clocks, Number.isFinite)
  && (!view || isView(view));

const isPuzzle = ({ setup, moves, played, best, solved, due }) => isObject(setup)
  && isText(setup.game) && isList(moves, isText) && isText(played?.move) && isText(best)
  && Number.isInteger(solved) && Number.isFinite(due);

/** Return a setting's value, or `otherwise` if it isn't set. */
export function liked(name, otherwise) {
  const value = read(LIKED, isObject)?.[name];
  return SETTINGS[name](value) ? value : otherwise;
}

/** Store a setting. */
export function like(name, value) {
  write(LIKED, { ...read(LIKED, isObject), [name]: value });
}

/** Return the id of the game that this tab had before a reload, or null. */
export const reloaded = () => sessionStorage.getItem("plyglot/id");

/** Return the id of the latest game of a kind, or null. */
export const latest = (kind) => read(CURRENT + kind, isText);

/** Return a saved game (see `keep`), or null if there is none. */
export const kept = (id) => read(GAME + id, isRecord);

/** Return the saved games, latest first. */
export const recent = () => ids().map(kept).filter(Boolean);

/** Save a game: {id, game (as Game.plain), at, ...}.  Return false if the storage is full. */
export function keep(record) {
  if (!write(GAME + record.id, { ...record, saved: Date.now() })) return false;
  write(ORDER, [record.id, ...ids().filter((id) => id !== record.id)]);
  write(CURRENT + record.game.game, record.id);
  sessionStorage.setItem("plyglot/id", record.id);
  like("last", record.id);
  for (const id of ids().slice(MAX_GAMES)) forget(id);
  return true;
}

/** Delete a saved game. */
export function forget(id) {
  localStorage.removeItem(GAME + id);
}

/** Return the puzzles: see puzzles.js. */
export const storedPuzzles = () => read(PUZZLES, (value) => isList(value, isPuzzle)) ?? [];

/** Store the puzzles.  Return false if the storage is full. */
export const keepPuzzles = (puzzles) => write(PUZZLES, puzzles.slice(-MAX_PUZZLES));

/** Lock a game for this page.  Return false if another page holds it. */
export async function claim(id) {
  if (held?.id === id || !navigator.locks) return true;
  held?.release();
  held = null;
  const signal = AbortSignal.timeout(RELEASED);
  return new Promise((resolve) => {
    navigator.locks.request(GAME + id, { signal }, () => new Promise((release) => {
      held = { id, release };
      resolve(true);
    })).catch(() => resolve(false));
  });
}

/** Return the ids of the saved games, latest first. */
function ids() {
  const stored = Object.keys(localStorage).filter((key) => key.startsWith(GAME))
    .map((key) => key.slice(GAME.length));
  const order = read(ORDER, (value) => isList(value, isText)) ?? [];
  const others = stored.filter((id) => !order.includes(id));
  return [...order.filter((id) => stored.includes(id)), ...others];
}

/** Return an entry, or null if there is none.  An invalid one is deleted. */
function read(key, isValid) {
  const text = localStorage.getItem(key);
  try {
    const value = JSON.parse(text);
    if (text === null || isValid(value)) return value;
  } catch {
    // not JSON, or without the parts that isValid looks into
  }
  localStorage.removeItem(key);
  return null;
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
