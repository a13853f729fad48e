// What is on the board is kept in the browser, and comes back: see store.js.

import { app, guarded, say } from "./app.js";
import { element, id } from "./dom.js";
import { facts, factsOf } from "./facts.js";
import { fromRecord } from "./game.js";
import { play } from "./play.js";
import { claim, forget, keep, kept, latest, like, liked, recent, reloaded } from "./store.js";

const PACE = 400; // milliseconds in which changes are gathered
const FULL = "There is no room left in this browser to keep this game: save it as a file, "
  + "or remove old ones under Recent…";

let timer = null;

/** Keep what is on the board, soon. */
function changed() {
  if (app.watching || timer !== null) return;
  timer = setTimeout(keepNow, PACE);
}

/** Keep it now: nothing of a game that has not begun. */
function keepNow() {
  clearTimeout(timer);
  timer = null;
  const { game } = app;
  if (!game || app.watching || (!game.root.children.length && !game.setup.start)) return;
  const { seats, time, clocks } = play;
  const at = game.current.path.map(({ move }) => move);
  if (!keep({ id: game.id, game: game.plain(), at, seats, time, clocks })) say(FULL, true);
  claim(game.id);
}

/** The node of a kept game that was on the board. */
function nodeAt(game, at) {
  let node = game.root;
  for (const move of at) {
    const next = node.children.find((child) => child.move === move);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Bring a kept game back; false where there is none, or its game is not known here. */
async function bringBack(name) {
  const record = name && kept(name);
  if (!record || !factsOf(record.game.game)) return false;
  const game = fromRecord(record.game);
  game.id = record.id;
  const own = await claim(record.id);
  if (!own) game.id = `${record.id.slice(0, 8)}-${Date.now()}`;
  await play.resume(game, nodeAt(game, record.at ?? []), record);
  if (!own) {
    await claim(game.id);
    say("This game is open in another tab: here it goes on as a copy");
  }
  return true;
}

/** The game that the page begins with: the one that it had, or a new one. */
export async function beginAgain() {
  for (const name of ["seats", "time"]) play[name] = liked(name, play[name]);
  play.seats = play.seats.map((seat) => (facts.engines[seat.who] || seat.who === "you" ? seat
    : { ...seat, who: 0 })); // an engine that is not there any more
  const name = reloaded() ?? (facts.asked ? latest(facts.game) : liked("last", null));
  try {
    if (await bringBack(name)) return;
  } catch (error) {
    await play.fresh({ game: facts.game });
    say(`The last game can't be shown: ${error.message}`, true);
    return;
  }
  await play.fresh({ game: facts.game });
}

/** Another kind of game: the one of it that was left, or a new one. */
export async function change(kind) {
  keepNow();
  if (!await bringBack(latest(kind))) await play.fresh({ game: kind });
}

/** The dialogue with the games that are kept. */
function openRecent() {
  keepNow();
  const rows = recent().map(({ id: name, saved, game }) => {
    const players = game.players.map((each, side) => each || factsOf(game.game)?.colours[side] || "?");
    const words = `${factsOf(game.game)?.title ?? game.game}: ${players.join(" – ")}`;
    const facts = [`${game.line.length} moves`, game.result === "*" ? "" : game.result,
      new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })];
    return element("li", {},
      element("button", { class: "open", onclick: guarded(async () => {
        id("recent-box").close();
        await bringBack(name);
      }) }, words, element("small", {}, facts.filter(Boolean).join(" · "))),
      element("button", { "aria-label": `Remove ${words}`, onclick: (event) => {
        forget(name);
        event.target.closest("li").remove();
      } }, "✕"));
  });
  id("recent-games").replaceChildren(...rows);
  id("recent-none").hidden = rows.length > 0;
  id("recent-box").showModal();
}

/** Keep games from now on. */
export function startKeeping() {
  app.changed = changed;
  id("recent").addEventListener("click", openRecent);
  addEventListener("pagehide", keepNow);
  document.addEventListener("visibilitychange", () => document.hidden && keepNow());
}
