// Watch: a tournament's standings, its games in progress, and a replay of any game.
//
// The record is the one that scripts/board was started with, followed as it grows, or one that the
// user opened on the page.

import { analyse } from "./analyse.js";
import { app, guarded, turnWords } from "./app.js";
import { counted, element, id } from "./dom.js";
import { fromRecord } from "./game.js";
import { call, listen } from "./transport.js";

const RESULTS = { "1/2-1/2": "½–½" };
const FIRST = ["name", "Elo", "95 %"]; // columns that stay visible without scrolling

export const watch = {
  news: null,               // the latest event about the tournament: see watching.py
  opened: null,             // of a record that the user opened: id -> a game's line
  shownGame: null,          // the id of the game on the board
  shownMoves: 0,            // the number of its moves that are loaded
  before: null,             // the game that was on the board before
  asked: 0,                 // number of games requested
  answered: 0,              // number of the latest request that was answered

  mayMove: () => false,
  move() {},

  player: (side) => app.game.players[side],

  step(node) {
    guarded(app.go)(node);
  },

  status() {
    const { game } = app, { current } = game;
    if (!current.children.length && game.tags?.reason)
      return `${RESULTS[game.result] ?? game.result}: ${game.tags.reason}`;
    return [turnWords(current.view), saidBy(game, current)].filter(Boolean).join(". ");
  },

  /** Draw graph and bar as on the tab Analyse. */
  arrived() {
    analyse.showVerdict();
  },

  flipped() {
    analyse.showBar();
  },

  /** Restore the former game, unless the watched one goes to the tab Analyse. */
  async left(next) {
    id("bar").hidden = true;
    const { before } = watch;
    watch.before = null;
    if (before && next !== "watched") app.game = before;
  },

  async analyse() {
    watch.before = null;
    watch.shownGame = null;
    await app.show("analyse");
    app.changed();
  },

  async shown() {
    id("bar").hidden = false;
    watch.before = app.game;
    const { running = [], games = [] } = watch.news ?? {};
    const first = running[0] ?? games[0];
    if (watch.shownGame === null && first) await watch.open(first.id);
    else if (app.game) app.refresh();
  },

  /**
   * Show a game.  place(): called when the game is loaded; returns the number of moves to play, or
   * null not to show the game.
   */
  async open(name, place = () => Infinity) {
    const line = watch.opened?.get(name), number = watch.asked += 1;
    const record = line?.line ? line : line ? (await call("read", { text: line })).games[0]
      : await call("replay", { id: name });
    id("watch-analyse").disabled = false;
    if (number < watch.answered || app.tab !== watch) return;   // overtaken by a later request
    const ply = place();
    if (ply === null) return;
    watch.answered = number;
    const game = fromRecord(record), way = [game.root, ...game.through(game.root)];
    if (!await app.go(way[Math.min(ply, way.length - 1)], { game })) return;
    watch.shownGame = name;
    watch.shownMoves = way.length - 1;
    watch.draw();
  },

  /** Show the standings and games of a record that the user opened. */
  async read(text, tournament, file) {
    watch.opened = new Map(text.split("\n").filter((line) => line.includes('"moves"'))
      .map((line) => [JSON.parse(line).id, line]));
    watch.news = { ...tournament, file };
    watch.shownGame = null;
    watch.draw();
    await watch.shown();
  },

  /** Take an event about the record that the server follows. */
  async told(event) {
    if (watch.opened) return;
    watch.news = event;
    watch.draw();
    if (app.tab === watch) await watch.follow();
  },

  /** Show new moves of the game on the board, or go on to the next game if it is over. */
  async follow() {
    const { running = [], games = [] } = watch.news, former = watch.shownGame;
    const known = [...running, ...games].find((game) => game.id === former);
    const here = () => app.target ?? app.game?.current; // a step may still be loading
    const atEnd = () => !here()?.children.length;
    const same = () => watch.shownGame === former;
    if (known && (known.moves !== watch.shownMoves || known.result !== app.game.result)) {
      const place = () => atEnd() ? Infinity : here().path.length;
      await watch.open(known.id, () => same() ? place() : null);
    } else if (!known || (atEnd() && known.result !== "*" && id("follow").checked)) {
      const next = running[0] ?? games[0];
      const wanted = () => same() && (!known || atEnd()) ? Infinity : null;
      if (next && next.id !== former) await watch.open(next.id, wanted);
    }
  },

  // ---- drawing ----------------------------------------------------------------------

  draw() {
    const { error, file, rows = [], lines = [], games = [], running = [], count } = watch.news ?? {};
    if (!file) return;
    id("watch-title").textContent = `${file}: ${counted(count ?? games.length, "game")}`;
    id("watch-error").textContent = error ?? "";
    id("watch-hint").hidden = true;
    id("standings").replaceChildren(...table(rows));
    id("watch-lines").replaceChildren(...lines.map((text) => element("li", {}, text)));
    id("running-title").hidden = !running.length;
    id("watch-running").replaceChildren(...running.map(entry));
    id("watch-games").replaceChildren(...games.map(entry));
  },

  start() {
    id("watch-hint").hidden = app.facts.tournament;
    id("follow").parentNode.hidden = !app.facts.tournament;
    id("watch-open").addEventListener("click", () => id("file").click());
    id("watch-analyse").addEventListener("click", guarded(watch.analyse));
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
    element("tr", {}, ...row.map((text) => element("td", { class: shade(text) }, text))));
  return [element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)];
}

/** Return the class of a cell with points against an opponent: "won", "lost", or false. */
function shade(text) {
  const [, points, games] = /^([\d.]+)\/(\d+)$/.exec(text) ?? [];
  if (!games || Math.abs(points / games - 0.5) < 0.02) return false;
  return points / games > 0.5 ? "won" : "lost";
}

/** Return the score that an engine reported with the move to a node, as text. */
function saidBy(game, { note, side, view }) {
  if (!note || side === undefined) return "";
  const who = `${game.players[side] || view.colours[side]} (${view.colours[side]})`;
  const plain = Number.isFinite(Number(note.score));
  const depth = note.depth ? `, depth ${note.depth}` : "";
  return `${who} reported ${note.score}${plain ? ` for ${view.colours[0]}` : ""}${depth}`;
}

/** Return a list's entry for a game. */
function entry({ id: name, players, result, reason, moves }) {
  const number = counted(moves, "move");
  const how = result === "*" ? ` ${number} so far` : ` ${reason}, ${number}`;
  const outcome = result === "*" ? "" : `  ${RESULTS[result] ?? result}`;
  return element("li", {}, element("button", {
    "data-game": name, "aria-current": name === watch.shownGame && "true",
    onclick: () => guarded(watch.open)(name),
  }, `${players.join(" – ")}${outcome}`, element("small", {}, how)));
}
