// Watch: a tournament's table, the games that are going on, and any of its games to replay.
//
// The record is the one that scripts/board was started with, which is followed as it grows, or one
// that was opened on the page.

import { analyse } from "./analyse.js";
import { app, guarded, turnWords } from "./app.js";
import { element, id } from "./dom.js";
import { fromRecord } from "./game.js";
import { call, listen } from "./server.js";

const RESULTS = { "1/2-1/2": "½–½" };
const FIRST = ["name", "Elo", "95 %"]; // columns that are seen before one scrolls the table

export const watch = {
  news: null,               // what is known of the tournament: see watching.py
  opened: null,             // of a record that was opened here: id -> the line of a game
  shownGame: null,          // the id of the game on the board
  shownMoves: 0,            // how many moves of it are there
  before: null,             // the game that was on the board before
  asked: 0,                 // how many games were asked for,
  answered: 0,              // and the number of the latest that is there

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

  /** A game that is shown: graph and bar are those of Analyse. */
  arrived() {
    analyse.showVerdict();
  },

  flipped() {
    analyse.showBar();
  },

  /** The game that was on the board comes back, unless the watched one is to be analysed. */
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

  /** Show a game, after as many moves as `place` says when it is there (null: it is not wanted). */
  async open(name, place = () => Infinity) {
    const line = watch.opened?.get(name), number = watch.asked += 1;
    const record = line?.line ? line : line ? (await call("read", { text: line })).games[0]
      : await call("replay", { id: name });
    id("watch-analyse").disabled = false;
    if (number < watch.answered || app.tab !== watch) return;   // gone on meanwhile
    const ply = place();
    if (ply === null) return;
    watch.answered = number;
    const game = fromRecord(record), way = [game.root, ...game.through(game.root)];
    if (!await app.go(way[Math.min(ply, way.length - 1)], { game })) return;
    watch.shownGame = name;
    watch.shownMoves = way.length - 1;
    watch.draw();
  },

  /** A record that was opened on the page: its table and its games. */
  async read(text, tournament, file) {
    watch.opened = new Map(text.split("\n").filter((line) => line.includes('"moves"'))
      .map((line) => [JSON.parse(line).id, line]));
    watch.news = { ...tournament, file };
    watch.shownGame = null;
    watch.draw();
    await watch.shown();
  },

  /** News of the record that is followed. */
  async told(event) {
    if (watch.opened) return;
    watch.news = event;
    watch.draw();
    if (app.tab === watch) await watch.follow();
  },

  /** Go on with the game on the board where it has gone on, or with one that goes on now. */
  async follow() {
    const { running = [], games = [] } = watch.news, former = watch.shownGame;
    const known = [...running, ...games].find((game) => game.id === former);
    const atEnd = () => !app.game?.current.children.length;
    const same = () => watch.shownGame === former;
    if (known && (known.moves !== watch.shownMoves || known.result !== app.game.result)) {
      const place = () => atEnd() ? Infinity : app.game.current.path.length;
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
    id("watch-title").textContent = `${file}: ${count ?? games.length} games`;
    id("watch-error").textContent = error ?? "";
    id("watch-hint").hidden = true;
    id("standings").replaceChildren(...table(rows));
    id("watch-lines").replaceChildren(...lines.map((text) => element("li", {}, text)));
    id("running-title").hidden = !running.length;
    id("watch-running").replaceChildren(...running.map(entry));
    id("watch-games").replaceChildren(...games.map(entry));
  },

  start() {
    id("watch").append(
      element("h2", { id: "watch-title" }, "No tournament yet"),
      element("p", { id: "watch-error", class: "error" }),
      element("p", { id: "watch-hint" }, "Open the record of a tournament, or start ",
        element("code", {}, "scripts/board --watch FILE"), " to follow one as it is played."),
      element("div", { class: "buttons" },
        element("button", { id: "watch-open", onclick: () => id("file").click() },
          "Open a record…"),
        element("button", { id: "watch-analyse", disabled: true,
          onclick: guarded(() => watch.analyse()) }, "Analyse this game"),
        element("label", { class: "inline" },
          element("input", { type: "checkbox", id: "follow", checked: true }),
          "go on to the next game")),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Standings" }, element("table", { id: "standings" })),
      element("ul", { id: "watch-lines", class: "plain" }),
      element("h3", { id: "running-title", hidden: true }, "Going on"),
      element("ul", { id: "watch-running", class: "plain", "aria-label": "Games going on" }),
      element("ul", { id: "watch-games", class: "plain", tabindex: 0, "aria-label": "Games, newest first" }));
    id("watch-hint").hidden = app.facts.tournament;
    id("follow").parentNode.hidden = !app.facts.tournament;
    for (const name of ["watch-open", "watch-hint", "watch-analyse"])
      id(name).classList.add("live");
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

/** How points against one opponent look: won, lost, or neither. */
function shade(text) {
  const [, points, games] = /^([\d.]+)\/(\d+)$/.exec(text) ?? [];
  if (!games || Math.abs(points / games - 0.5) < 0.02) return false;
  return points / games > 0.5 ? "won" : "lost";
}

/** What an engine said as it made the move to a node, and for whom its score is good. */
function saidBy(game, { note, side, view }) {
  if (!note || side === undefined) return "";
  const who = `${game.players[side] || view.colours[side]} (${view.colours[side]})`;
  const plain = Number.isFinite(Number(note.score));
  const depth = note.depth ? `, depth ${note.depth}` : "";
  return `${who} said ${note.score}${plain ? ` for ${view.colours[0]}` : ""}${depth}`;
}

/** A game in the lists. */
function entry({ id: name, players, result, reason, moves }) {
  const how = result === "*" ? ` ${moves} moves so far` : ` ${reason}, ${moves} moves`;
  const outcome = result === "*" ? "" : `  ${RESULTS[result] ?? result}`;
  return element("li", {}, element("button", {
    "data-game": name, "aria-current": name === watch.shownGame && "true",
    onclick: () => guarded(watch.open)(name),
  }, `${players.join(" – ")}${outcome}`, element("small", {}, how)));
}
