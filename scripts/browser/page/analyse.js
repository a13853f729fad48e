// Analyse: an engine's lines while it thinks, variations, marks, the graph of the game, and records
// in and out.

import { app, guarded, say } from "./app.js";
import { download, element, id, svg } from "./dom.js";
import { Game, fromRecord } from "./game.js";
import { call, listen } from "./server.js";
import { watch } from "./watch.js";

const SEATS = { analysis: "engine-lines", second: "second-lines" };
const CLEARLY = 0.15; // of the expected score: the lead over the second move that makes a !
const DEEP_ENOUGH = 0.6; // seconds of thought before a verdict counts for marks

export const analyse = {
  on: false,
  ticket: 0,
  told: {}, // seat -> the last event of its lines for this position

  mayMove: () => true,
  player: (side) => app.game.players[side],

  /** A move on the board: into the game, or as a variation. */
  move(move) {
    return app.go(app.game.reach(move));
  },

  step(node) {
    guarded(app.go)(node);
  },

  arrived() {
    analyse.told = {};
    analyse.weigh();
    analyse.showBar();
    analyse.graph();
    if (analyse.on) guarded(analyse.think)();
  },

  flipped() {
    analyse.showBar();
  },

  async shown() {
    id("bar").hidden = false;
    app.refresh();
    if (!analyse.on) await analyse.toggle();
  },

  left() {
    id("bar").hidden = true;
    analyse.halt();
  },

  fresh(setup) {
    const game = new Game(setup);
    return app.go(game.root, { game });
  },

  // ---- the engines ------------------------------------------------------------------

  toggle() {
    analyse.on = !analyse.on;
    id("engine-on").setAttribute("aria-pressed", analyse.on);
    id("engine-on").textContent = analyse.on ? "Engine on" : "Engine off";
    if (analyse.on) return analyse.think();
    return analyse.halt();
  },

  halt() {
    analyse.ticket += 1;
    for (const seat of Object.keys(SEATS))
      call("stop", { seat, ticket: analyse.ticket }).catch(() => {});
  },

  async think() {
    const { game } = app;
    analyse.ticket += 1;
    analyse.node = game.current;
    analyse.since = performance.now();
    const { ticket } = analyse;
    id("engine-lines").dataset.settled = "no";
    setTimeout(
      () => {
        if (ticket !== analyse.ticket) return;
        analyse.weigh();
        id("engine-lines").dataset.settled = "yes";
      },
      1000 * DEEP_ENOUGH + 10,
    );
    for (const place of Object.values(SEATS)) id(place).replaceChildren();
    const beside = id("second").value;
    id("second-lines").hidden = beside === "";
    if (game.current.view.result !== "*") {
      analyse.settle(game.current.view.result);
      analyse.halt();
      return;
    }
    const body = {
      ...game.body(),
      ticket: analyse.ticket,
      infinite: true,
      lines: Number(id("lines").value),
    };
    await call("think", { ...body, seat: "analysis", engine: Number(id("analyst").value) });
    if (beside === "") await call("stop", { seat: "second", ticket: analyse.ticket });
    else await call("think", { ...body, seat: "second", engine: Number(beside) });
  },

  /** How long was the position thought about, and does that tell a mark? */
  weigh() {
    const note = analyse.node?.note;
    const seconds = (performance.now() - analyse.since) / 1000;
    if (!note || seconds < note.seconds) return;
    note.seconds = seconds;
    analyse.judged(analyse.node);
  },

  /** What a finished position is worth. */
  settle(result) {
    app.game.current.note = {
      share: { "1-0": 1, "0-1": 0 }[result] ?? 0.5,
      score: result.replace("1/2-1/2", "½"),
      seconds: Infinity,
      lines: [],
    };
    analyse.judged(app.game.current);
  },

  lines(event) {
    if (event.ticket !== analyse.ticket || !SEATS[event.seat] || app.game.current !== analyse.node)
      return;
    analyse.told[event.seat] = event;
    id(SEATS[event.seat]).replaceChildren(...event.lines.map((line) => analyse.line(line, event)));
    if (event.seat !== "analysis") return;
    const [best, ...others] = event.lines;
    analyse.node.note = {
      share: best.share,
      score: best.score,
      eval: best.eval,
      depth: best.depth,
      seconds: (performance.now() - analyse.since) / 1000,
      lines: event.lines,
    };
    app.point([
      ...others.map((line) => ({ move: line.moves[0]?.move, kind: "other" })).reverse(),
      { move: best.moves[0]?.move, kind: "best" },
    ]);
    analyse.judged(analyse.node);
  },

  line({ rank, depth, score, moves }, { speed, nodes }) {
    const facts = [`depth ${depth ?? "?"}`, nodes && `${short(nodes)} nodes`,
      speed && `${short(speed)}/s`];
    return element("li", {}, element("span", { class: "value" }, score),
      element("small", {}, rank === 1 ? facts.filter(Boolean).join(", ") : ""),
      ...moves.map(({ words }, index) => {
        const follow = () => analyse.follow(moves.slice(0, index + 1));
        return element("button", { onclick: follow }, words);
      }));
  },

  /** Play an engine's line up to one of its moves, as a variation. */
  follow(moves) {
    return guarded(app.go)(app.game.reach(...moves.map(({ move }) => move)));
  },

  /** A position's verdict has changed: so may the marks of the move to it and of those from it. */
  judged(node) {
    for (const each of [node, ...node.children]) each.mark = markOf(each) ?? each.mark;
    analyse.showBar();
    analyse.graph();
    analyse.showMarks();
  },

  showMarks() {
    const kept = id("moves").scrollTop;
    app.drawMoves();
    id("moves").scrollTop = kept;
  },

  // ---- bar and graph ----------------------------------------------------------------

  showBar() {
    const note = app.game.current.note;
    const share = note?.share ?? 0.5;
    id("bar-first").style.height = `${Math.round(1000 * share) / 10}%`;
    id("bar").classList.toggle("flipped", app.flipped);
    id("bar-text").textContent =
      note && Number.isFinite(Number(note.score)) ? Number(note.score).toFixed(1) : "";
    id("bar").setAttribute("aria-label", `Evaluation: ${note?.score ?? "none yet"}`);
  },

  /** The graph of the game: what is known of its positions, the first player's share below. */
  graph() {
    const { game } = app;
    const line = [game.root, ...game.line()];
    const wide = Math.max(line.length - 1, 1);
    const points = line
      .map((node, ply) => node.note && [(1000 * ply) / wide, 200 - 200 * node.note.share])
      .filter(Boolean);
    const at = (1000 * line.indexOf(game.current)) / wide;
    id("graph").hidden = line.length < 2;
    const choose = (event) => analyse.choose(event, line);
    const parts = points.length ? areas(points) : [];
    const picture = svg("svg",
      { viewBox: "0 0 1000 200", preserveAspectRatio: "none", onclick: choose },
      svg("rect", { class: "unknown", width: 1000, height: 200 }), ...parts,
      svg("line", { class: "middle", x1: 0, x2: 1000, y1: 100, y2: 100 }),
      svg("line", { class: "here", x1: at, x2: at, y1: 0, y2: 200 }));
    id("graph").replaceChildren(picture);
  },

  /** A click on the graph goes to that move. */
  choose(event, line) {
    const box = event.currentTarget.getBoundingClientRect();
    const ply = Math.round(((line.length - 1) * (event.clientX - box.left)) / box.width);
    analyse.step(line[ply]);
  },

  // ---- records ----------------------------------------------------------------------

  /** Open a record; file: its name. */
  async read(text, file = "tournament") {
    const { games, count, problems, tournament } = await call("read", { text, game: app.game.setup.game });
    if (tournament) {
      await app.show("watch");
      await watch.read(text, tournament, file);
      return;
    }
    await app.show("analyse");
    const made = games.map(fromRecord);
    id("which-game").hidden = made.length < 2;
    id("left-out").textContent =
      count > made.length ? `(the first ${made.length} of ${count})` : "";
    id("chosen").replaceChildren(
      ...made.map((game, number) => element("option", { value: number }, title(game, number))),
    );
    id("chosen").onchange = () => guarded(analyse.show)(made[Number(id("chosen").value)]);
    await analyse.show(made[0]);
    if (problems.length) say(problems.join("; "), true);
  },

  /** Put a game from a record on the board, at its start. */
  show(game) {
    return app.go(game.root, { game });
  },

  async save() {
    const { game } = app;
    const { text, suffix } = await call("write", {
      ...game.body(),
      moves: [],
      line: game.plain(),
      players: game.players,
      comment: game.comment,
      said: game.said ?? {},
      result: game.outcome,
      tags: game.tags ?? {},
    });
    download(text, `${game.setup.game}${suffix}`);
    say(`Saved as ${game.setup.game}${suffix}`);
  },

  start() {
    listen("lines", analyse.lines);
    listen("failed", (event) => {
      if (SEATS[event.seat] && event.ticket === analyse.ticket)
        say(`The engine failed: ${event.error}`, true);
    });
    const names = app.facts.engines.map((name, number) =>
      element("option", { value: number }, name),
    );
    id("analyst").append(...names);
    id("second").append(
      element("option", { value: "" }, "none"),
      ...names.map((name) => name.cloneNode(true)),
    );
    id("engine-on").addEventListener("click", guarded(analyse.toggle));
    for (const box of ["lines", "analyst", "second"])
      id(box).addEventListener(
        "change",
        guarded(() => (analyse.on ? analyse.think() : null)),
      );
    id("open").addEventListener("click", () => id("file").click());
    id("file").addEventListener(
      "change",
      guarded(async () => {
        const [file] = id("file").files;
        id("file").value = "";
        if (file) await analyse.read(decoded(await file.arrayBuffer()), file.name);
      }),
    );
    id("paste").addEventListener("click", () => id("paste-box").showModal());
    id("paste-box").addEventListener(
      "close",
      guarded(async () => {
        if (id("paste-box").returnValue === "ok") await analyse.read(id("pasted").value);
      }),
    );
    id("save").addEventListener("click", guarded(analyse.save));
  },
};

/** The text of a file: UTF-8, else Latin-1, which PGN began with. */
function decoded(data) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("latin1").decode(data);
  }
}

/**
 * The mark of the move to a node, from what is known before and after it; undefined where that is
 * too little.
 */
function markOf(node) {
  const before = node.parent?.note;
  const after = node.note;
  if (!before || !after || Math.min(before.seconds, after.seconds) < DEEP_ENOUGH) return undefined;
  const lost = (before.share - after.share) * (node.side === 0 ? 1 : -1);
  for (const [least, mark] of app.facts.marks) if (lost >= least) return mark;
  const [best, second] = before.lines;
  const [to, from] = [node, node.parent].map(({ view }) => String(view?.last.at(-1)));
  const alone =
    second
    && to !== from // what takes back is no great find
    && best.moves[0]?.move === node.move
    && Math.abs(best.share - second.share) >= CLEARLY;
  return alone ? "!" : "";
}

/** The areas of both players between the first and the last position that is known. */
function areas(points) {
  const [left, right] = [points[0][0], points.at(-1)[0]];
  const way = points.map(([x, y]) => `L${x} ${y}`).join("");
  return [
    svg("rect", { class: "second", x: left, width: right - left, height: 200 }),
    svg("path", { class: "first", d: `M${left} 200${way}L${right} 200Z` }),
  ];
}

function short(number) {
  return number >= 1e6
    ? `${(number / 1e6).toFixed(1)} M`
    : number >= 1e3
      ? `${Math.round(number / 1e3)} k`
      : String(number);
}

function title(game, number) {
  return `${number + 1}. ${game.players.map((name) => name || "?").join(" – ")} ${game.result}`;
}
