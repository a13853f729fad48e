// Watch: a tournament's record as it grows, its table, and any of its games to replay.

import { app, guarded } from "./app.js";
import { element, id } from "./dom.js";
import { Game } from "./game.js";
import { call, listen } from "./server.js";

const RESULTS = { "1/2-1/2": "½–½" };

export const watch = {
  news: null,               // the last event about the standings
  shownGame: null,          // the id of the game on the board

  mayMove: () => false,
  move() {},

  player: (side) => app.game.players[side],

  step(node) {
    guarded(app.go)(node);
  },

  status() {
    const { game } = app, view = game.current.view;
    if (!game.current.children.length && game.tags?.reason) return `${RESULTS[game.result] ?? game.result}: ${game.tags.reason}`;
    const note = game.current.note;
    return `${view.colours[view.side]} to move${note ? `; the engine said ${note.score}` : ""}`;
  },

  async shown() {
    if (watch.shownGame === null && watch.news?.games.length) await watch.open(watch.news.games[0].id);
    else if (app.game) await app.refresh();
  },

  async open(name) {
    const record = await call("replay", { id: name });
    const game = new Game({ game: record.game, options: record.options, start: record.start }, record.players);
    game.graft(game.root, record.line);
    Object.assign(game, { result: record.result, tags: record.tags });
    const end = game.line(game.root).at(-1) ?? game.root;
    await app.open(game, end);
    watch.shownGame = name;
    watch.draw();
  },

  async told(event) {
    const fresh = !event.error && event.games.length > (watch.news?.games?.length ?? 0);
    watch.news = event;
    watch.draw();
    if (fresh && app.tab === watch && (watch.shownGame === null || id("follow").checked)) await watch.open(event.games[0].id);
  },

  draw() {
    const { error, file, rows = [], lines = [], games = [] } = watch.news ?? {};
    if (!file) return;
    id("watch-title").textContent = `${file}: ${games.length} games`;
    id("watch-error").textContent = error ?? "";
    const [heads = [], ...others] = rows;
    id("standings").replaceChildren(element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...others.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))));
    id("watch-lines").replaceChildren(...lines.map((text) => element("li", {}, text)));
    id("watch-games").replaceChildren(...games.map((game) => element("li", {}, element("button", {
      "data-game": game.id, "aria-current": game.id === watch.shownGame && "true", onclick: () => guarded(watch.open)(game.id),
    }, `${game.players.join(" – ")}  ${RESULTS[game.result] ?? game.result}`, element("small", {}, ` ${game.reason}, ${game.moves} moves`)))));
  },

  start() {
    id("watch").append(element("h2", { id: "watch-title" }, "Waiting for the record…"), element("p", { id: "watch-error", class: "error" }),
      element("div", { class: "scroll" }, element("table", { id: "standings" })), element("ul", { id: "watch-lines", class: "plain" }),
      element("label", { class: "inline" }, element("input", { type: "checkbox", id: "follow" }), "show each new game"),
      element("ul", { id: "watch-games", class: "plain", "aria-label": "Games, newest first" }));
    listen("standings", guarded(watch.told));
  },
};
