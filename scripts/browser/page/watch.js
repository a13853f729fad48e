// Watch: the standings of the tournament that scripts/board was started with, its games in progress,
// and a replay of any game.

import { analyse } from "./analyse.js";
import { app, guarded, turnWords } from "./app.js";
import { counted, element, id, pressed } from "./dom.js";
import { fromRecord, resultWords } from "./game.js";
import { call, listen } from "./transport.js";

const FIRST = ["name", "Elo", "95 %"]; // columns that stay visible without scrolling

export const watch = {
  news: null,               // the latest event about the tournament: see watching.py
  game: null,               // the watched Game
  paused: false,            // are new moves held back?
  shownGame: null,          // the watched game's id in the record
  shownMoves: 0,            // the number of the watched game's moves that are loaded
  before: null,             // the game that was on the board before
  asked: 0,                 // number of games requested

  status() {
    const { game } = app, { current } = game;
    if (!current.children.length && game.tags?.reason)
      return `${resultWords(game.result)}: ${game.tags.reason}`;
    return [turnWords(current.view), saidBy(game, current)].filter(Boolean).join(". ");
  },

  // Graph and bar are those of the tab Analyse.
  arrived: () => analyse.showVerdict(),
  flipped: () => analyse.showBar(),

  /** Restore the game that was on the board before, unless Analyse continues the watched one. */
  async left(next) {
    const { before } = watch;
    watch.before = null;
    if (before && next !== "analyse") app.put(before);
    watch.showPause();
  },

  async shown() {
    watch.before = app.game === watch.game ? null : app.game;
    const { running = [], games = [] } = watch.news ?? {};
    const first = running[0] ?? games[0];
    if (watch.shownGame === null && first) await watch.open(first.id);
    else if (app.game) app.refresh();
  },

  /** Show a game at its end.  wanted(): called when it is loaded; is it still to be shown? */
  async open(name, wanted = () => true) {
    const number = watch.asked += 1, record = await call("replay", { id: name });
    if (number !== watch.asked || app.tab !== watch || !wanted()) return; // a later request came
    const game = fromRecord(record), line = game.through(game.root);
    if (!await app.go(line.at(-1) ?? game.root, { game })) return;
    Object.assign(watch, { game, shownGame: name, shownMoves: line.length });
    watch.draw();
  },

  /** Add new moves to the watched game; if its end is shown, show the new end. */
  async extend() {
    const { game } = watch, { line, result, tags } = await call("replay", { id: watch.shownGame });
    if (watch.paused || game !== watch.game || app.game !== game) return;
    const end = game.known(line.map(({ move }) => move)), known = end.path.length;
    game.graft(end, line.slice(known));
    if (known < line.length) game.keep(end.children.at(-1), true);
    Object.assign(game, { result, tags });
    watch.shownMoves = line.length;
    if ((app.target ?? game.current) === end) await app.go(game.through(end).at(-1) ?? end);
    else app.refresh();
  },

  async told(event) {
    watch.news = event;
    watch.draw();
    if (!watch.paused) await watch.follow();
  },

  /** Show new moves of the game on the board, or go on to the next game if it is over. */
  async follow() {
    const { running = [], games = [] } = watch.news, former = watch.shownGame;
    const known = [...running, ...games].find((game) => game.id === former);
    const atEnd = () => !(app.target ?? app.game?.current)?.children.length; // a step may be loading
    if (known && app.game === watch.game
      && (known.moves !== watch.shownMoves || known.result !== watch.game.result)) await watch.extend();
    else if (app.tab === watch && (!known || (atEnd() && known.result !== "*"))) {
      const next = running[0] ?? games[0];
      const wanted = () => watch.shownGame === former && (!known || atEnd());
      if (next && next.id !== former) await watch.open(next.id, wanted);
    }
    watch.showPause();
  },

  /** Show the button that stops new moves, while a game in progress is on the board. */
  showPause() {
    id("pause").hidden = app.game !== watch.game || !watch.news.running?.length;
    id("pause").setAttribute("aria-pressed", watch.paused);
  },

  // ---- drawing ----------------------------------------------------------------------

  draw() {
    const { error, file, rows = [], lines = [], games = [], running = [] } = watch.news ?? {};
    if (!file) return;
    id("watch-analyse").disabled = watch.shownGame === null;
    watch.showPause();
    id("watch-title").textContent = `${file}: ${counted(games.length, "game")}`;
    id("watch-error").textContent = error ?? "";
    id("standings").replaceChildren(...table(rows));
    id("watch-lines").replaceChildren(...lines.map((text) => element("li", {}, text)));
    id("watch-running").replaceChildren(...running.map(entry));
    id("watch-games").replaceChildren(...games.map(entry));
  },

  start() {
    id("watch-hint").hidden = app.facts.tournament;
    id("watch-analyse").addEventListener("click", guarded(() => app.show("analyse")));
    id("pause").addEventListener("click", guarded(() => {
      watch.paused = !watch.paused;
      return watch.paused ? watch.showPause() : watch.follow();
    }));
    listen("standings", guarded(watch.told));
  },
};

function table(rows) {
  const [names = []] = rows;
  const columns = [...names.keys()];
  const wanted = [0, ...FIRST.map((name) => names.indexOf(name)).filter((at) => at > 0)];
  const order = [...wanted, ...columns.filter((at) => !wanted.includes(at))];
  const [heads = [], ...others] = rows.map((row) => order.map((at) => row[at]));
  const head = heads.map((text) => element("th", { scope: "col" }, text));
  const body = others.map((row) =>
    element("tr", {}, ...row.map((text) => element("td", {}, text))));
  return [element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)];
}

/** Return the score that an engine reported with the move to a node, as text. */
function saidBy(game, { note, side, view }) {
  if (!note || side === undefined) return "";
  const who = `${game.players[side] || view.colours[side]} (${view.colours[side]})`;
  const plain = Number.isFinite(Number(note.score));
  const depth = note.depth ? `, depth ${note.depth}` : "";
  return `${who} reported ${note.score}${plain ? ` for ${view.colours[0]}` : ""}${depth}`;
}

function entry({ id: name, players, result, reason, number: last }) {
  const number = counted(last, "move");
  const how = result === "*" ? ` ${number} so far` : ` ${reason}, ${number}`;
  const outcome = result === "*" ? "" : `  ${resultWords(result)}`;
  return element("li", {}, element("button", {
    "data-game": name, "aria-current": name === watch.shownGame && "true",
    ...pressed(() => guarded(watch.open)(name)),
  }, `${players.join(" – ")}${outcome}`, element("small", {}, how)));
}
