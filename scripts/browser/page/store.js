// Saved games and settings in the browser's storage.  They survive a reload, a switch to another
// game or tab, and a restart of the server.

const GAME = "plyglot/game/", CURRENT = "plyglot/current/", LIKED = "plyglot/liked";
const MOST = 60; // number of games to keep, newest first
const RELEASED = 1000; // milliseconds to wait for a reloading page to release its game

let held = null; // {id, release} of the game that only this page may write

/** Return a setting's value, or `otherwise` if it isn't set. */
export function liked(name, otherwise) {
  return (read(LIKED) ?? {})[name] ?? otherwise;
}

/** Store a setting. */
export function like(name, value) {
  write(LIKED, { ...read(LIKED), [name]: value });
}

/** Return the id of the game that this tab had before a reload, or null. */
export const reloaded = () => sessionStorage.getItem("plyglot/id");

/** Return the id of the latest game of a kind, or null. */
export const latest = (kind) => read(CURRENT + kind);

/** Return a saved game (see `keep`), or null if there is none. */
export const kept = (id) => read(GAME + id);

/** Return the saved games, latest first; delete those that match a later one but for evaluations. */
export function recent() {
  const games = ids().map(kept).filter(Boolean).sort((one, other) => other.saved - one.saved);
  const contents = games.map(({ game }) =>
    JSON.stringify(game, (name, value) => (name === "note" || name === "eval" ? undefined : value)));
  const first = (_, index) => contents.indexOf(contents[index]) === index;
  for (const { id } of games.filter((each, index) => !first(each, index))) forget(id);
  return games.filter(first);
}

/** Save a game: {id, game (as Game.plain), at, ...}.  Return false if the storage is full. */
export function keep(record) {
  if (!write(GAME + record.id, { ...record, saved: Date.now() })) return false;
  write(CURRENT + record.game.game, record.id);
  sessionStorage.setItem("plyglot/id", record.id);
  like("last", record.id);
  if (ids().length > MOST) for (const { id } of recent().slice(MOST)) forget(id);
  return true;
}

/** Delete a saved game. */
export function forget(id) {
  localStorage.removeItem(GAME + id);
}

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

const ids = () => Object.keys(localStorage).filter((key) => key.startsWith(GAME))
  .map((key) => key.slice(GAME.length));

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // not written by this page
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
