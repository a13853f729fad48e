// Saves the game on the board in the browser and restores it: see store.js.

import { app, guarded, opening, say, showTable } from "./app.js";
import { counted, element, id } from "./dom.js";
import { facts, factsOf, fromRecord } from "./game.js";
import { YOU, play } from "./play.js";
import { claim, forget, keep, kept, latest, liked, matchOf, recent, reloaded } from "./store.js";

const PACE = 400; // milliseconds for which changes are gathered into one write
const FULL = "This browser's storage is full, so the game isn't saved: save it as a file, "
  + "or remove old games under Recent…";

let timer = null;

/** Schedule a save of the game on the board. */
function changed() {
  if (app.watching || timer !== null) return;
  timer = setTimeout(keepNow, PACE);
}

/** Save the game on the board now, unless it has not begun. */
export function keepNow() {
  clearTimeout(timer);
  timer = null;
  const { game } = app;
  if (!game || app.embedded || game.isPuzzle || app.watching || (!game.root.children.length && !game.setup.start)) return;
  const { id: name, match, filed, inFile, current } = game;
  const at = current.path.map(({ move }) => move);
  const kept = keep({ id: name, game: game.plain(), at, view: current.view, match, filed, inFile,
    flipped: app.flipped });
  if (!kept) say(FULL, true);
  claim(name);
  id("original").hidden = !game.isChanged;
}

/** Restore a saved game.  Return false if there is none or its kind of game is unknown here. */
async function bringBack(name) {
  const record = name && kept(name);
  if (!record || !factsOf(record.game.game)) return false;
  const game = fromRecord(record.game);
  game.id = record.id;
  const { asked } = app, own = await claim(record.id);
  if (asked !== app.asked) return true; // the user went elsewhere meanwhile
  if (!own) game.id = `${record.id.slice(0, 8)}-${Date.now()}`;
  const node = game.known(record.at), match = matchOf(record);
  Object.assign(game, { filed: record.filed ?? null, inFile: record.inFile ?? null });
  game.match = match && play.resumed(match, node);
  if (record.view?.board) game.show(node, record.view); // without waiting for the server
  const { bottom } = game.facts.looks;
  const ready = () => { app.flipped = record.flipped ?? Boolean(match && match.sides[bottom].who !== YOU); };
  await opening(app.go)(node, { game, ready });
  if (!own) {
    await claim(game.id);
    say("This game is open in another tab: this tab continues a copy");
  }
  return true;
}

/** Start the page with the game that it had last, or a new one. */
export async function beginAgain() {
  for (const name of ["sides", "time"]) play.usual[name] = liked(name, play.usual[name]);
  let wrong = "";
  const brought = await bringBack(reloaded("id") ?? latest(facts.asked && facts.game))
    .catch(({ message }) => { wrong = `The last game can't be shown: ${message}`; });
  if (!brought) await play.fresh({ game: facts.game });
  if (wrong) say(wrong, true);
}

/** Switch to another kind of game: its latest saved game (in Play, its latest match), or a new one. */
export async function change(kind) {
  keepNow();
  if (!await bringBack(latest(kind, app.tab === play))) await play.fresh({ game: kind });
}

function openRecent() {
  keepNow();
  const rows = recent().map(({ id: name, saved, game }) => {
    const players = game.players.map((each, side) => each || factsOf(game.game)?.colours[side] || "?");
    const words = `${factsOf(game.game)?.title ?? game.game}: ${players.join(" – ")}`;
    const moves = game.line.at(-1)?.number ?? game.line.length;
    const facts = [counted(moves, "move"), game.result === "*" ? "" : game.result,
      new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })];
    return element("li", {},
      element("button", { class: "open", onclick: guarded(opening(async () => {
        id("recent-box").close();
        await bringBack(name);
        if (!app.game.match || app.watching) await app.show(app.game.match ? "play" : "analyse");
        showTable();
      })) }, words, element("small", {}, facts.filter(Boolean).join(" · "))),
      element("button", { "aria-label": `Remove ${words}`, onclick: (event) => {
        forget(name);
        event.target.closest("li").remove();
      } }, "✕"));
  });
  id("recent-games").replaceChildren(...rows);
  id("recent-box").showModal();
}

export function startKeeping() {
  app.changed = changed;
  id("recent").addEventListener("click", openRecent);
  addEventListener("pagehide", keepNow);
  document.addEventListener("visibilitychange", () => document.hidden && keepNow());
}
