// Games that are kept in this browser, and what its user likes: nothing is lost by a reload, another
// game or tab, or a server that is started again.

const GAME = "plyglot/game/", CURRENT = "plyglot/current/", LIKED = "plyglot/liked";
const MOST = 60; // games are kept, the newest ones
const RELEASED = 1000; // milliseconds in which a page that is reloaded lets go of its game

let held = null; // {id, release} of the game that this page alone may write

/** What the user likes: a setting's value. */
export function liked(name, otherwise) {
  return (read(LIKED) ?? {})[name] ?? otherwise;
}

/** Keep what the user likes. */
export function like(name, value) {
  write(LIKED, { ...read(LIKED), [name]: value });
}

/** The game of a page that is reloaded, or null. */
export const reloaded = () => sessionStorage.getItem("plyglot/id");

/** The id of the latest game of a kind, or null. */
export const latest = (kind) => read(CURRENT + kind);

/** A game that is kept: see `keep`; null where there is none. */
export const kept = (id) => read(GAME + id);

/** All games that are kept, the latest first. */
export function recent() {
  return ids().map(kept).filter(Boolean).sort((one, other) => other.saved - one.saved);
}

/** Keep a game: {id, game (as Game.plain), at, ...}.  False where the browser has no room. */
export function keep(record) {
  if (!write(GAME + record.id, { ...record, saved: Date.now() })) return false;
  write(CURRENT + record.game.game, record.id);
  sessionStorage.setItem("plyglot/id", record.id);
  like("last", record.id);
  if (ids().length > MOST) for (const { id } of recent().slice(MOST)) forget(id);
  return true;
}

/** Remove a game. */
export function forget(id) {
  localStorage.removeItem(GAME + id);
}

/** Make a game this page's own; false where another page has it. */
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
