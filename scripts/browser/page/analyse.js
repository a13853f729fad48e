// Analyse: the engines' lines while they think, marks, and the graph of the game.

import { app, guarded, say, turnWords } from "./app.js";
import { element, id, pressed, short } from "./dom.js";
import { Search, engineChoices } from "./engines.js";
import { handsOf, rightsOf, turnNumber, wordsOf } from "./game.js";
import { Grid } from "./grid.js";
import { drawGraph } from "./moves.js";
import { review } from "./review.js";
import { engineOptions, limitOf, setting } from "./settings.js";
import { like, liked } from "./store.js";
import { call } from "./transport.js";

const THREAT = 1; // seconds to look for a threat
const DELAY = 120; // milliseconds until the pointer on a move shows a board: passing over it shows none
const ROLES = { analysis: "engine-lines", second: "second-lines" };

let preview = null, timer = null; // of the small board beside an engine's line

export const analyse = {
  on: false,
  searches: [],

  keys: {
    n: () => review.next(), p: () => review.next(-1),
    ArrowUp: () => review.leave(), Escape: () => review.leave(),
    t: () => id("threat").click(),
    ArrowDown: () => review.betterHere() && id("better").click(),
    l: () => !app.embedded && id("engine-on").click(),
    " ": () => analyse.playBest(),
  },

  /** May the user move on the board? */
  mayMove: () => !app.embedded,
  spoils: () => Boolean(review.trying),

  status() {
    const { over, current: { view, note } } = app.game;
    const { time, words: move } = app.game.current, took = time && move ? `. ${move} took ${time}` : "";
    const words = review.question() ?? (over?.reason ?? turnWords(view)) + took;
    return app.embedded && note && !over ? `${words}. ${note.score}` : words;
  },

  /** Play a move in the game or in a variation, or take it as the answer to a question. */
  move(move) {
    return review.trying ? review.tried(move) : app.go(app.game.reach([move], app.game.stem));
  },

  playBest() {
    const { current: { note }, stem } = app.game, [best] = (note?.lines ?? [note])[0]?.line ?? [];
    if (best && !review.trying && !app.embedded) guarded(app.go)(app.game.reach([best], stem));
  },

  arrived() {
    const { current } = app.game;
    if (current.over && !current.note) current.settle();
    analyse.showLines("analysis", current.note?.lines);
    analyse.showLines("second", null);
    analyse.showVerdict();
    const book = Object.entries(current.view.book ?? {}).map((each) => each.join(" "));
    id("book").textContent = book.length ? `Book: ${book.join(", ")}` : "";
    review.show();
    if (analyse.on && !review.trying) guarded(analyse.think)();
    else analyse.pointAtBest();
  },

  flipped: () => analyse.showBar(),

  configured() {
    return analyse.on ? guarded(analyse.think)() : null;
  },

  async shown() {
    analyse.on = !app.embedded && liked("engine", true);
    analyse.showSwitch();
    if (app.game) app.refresh();
  },

  left() {
    review.giveUp();
    analyse.halt();
  },

  // ---- the engines ------------------------------------------------------------------

  toggle() {
    like("engine", !analyse.on);
    return analyse.turn(!analyse.on);
  },

  turn(on) {
    analyse.on = on;
    analyse.showSwitch();
    return on ? analyse.think() : analyse.halt();
  },

  /** Restart the engine after the analysis of the whole game, if the engine was on before. */
  goOn() {
    return app.tab === analyse && liked("engine", true) ? analyse.turn(true) : null;
  },

  showSwitch() {
    id("engine-on").setAttribute("aria-pressed", analyse.on);
    id("engine-on").textContent = analyse.on ? "Engine on" : "Engine off";
  },

  halt() {
    for (const search of analyse.searches) search.stop();
    analyse.searches = [];
  },

  async think() {
    const { game } = app;
    analyse.halt();
    if (game.current.view.result !== "*") return;
    const body = { ...game.body(), ...limitOf(setting("limit")), ...engineOptions(),
      lines: Number(id("lines").value) };
    const wanted = [["analysis", id("analyst").value], ["second", id("second").value]]
      .filter(([, engine]) => engine !== "");
    analyse.searches = wanted.map(([role]) =>
      new Search(role, { lines: analyse.lines }));
    await Promise.all(wanted.map(([, engine], number) =>
      analyse.searches[number].start({ ...body, engine: Number(engine) })));
  },

  lines(event) {
    analyse.showLines(event.role, event.lines, event);
    if (event.role !== "analysis") return;
    const [best] = event.lines, { current: node } = app.game, { note } = node;
    if (note && note.depth >= best.depth) note.lines = event.lines;
    else node.note = { ...best, lines: event.lines };
    analyse.pointAtBest();
    analyse.showVerdict();
    app.changed();
  },

  pointAtBest() {
    const { note } = app.game.current;
    const [best, ...others] = note?.lines ?? (note?.line?.length ? [note] : []);
    if (review.trying || !best) return app.point([]);
    return app.point([
      ...app.arrows.filter(({ kind }) => kind === "threat"),
      ...others.map(({ line }) => ({ move: line[0]?.move, kind: "other" })).reverse(),
      { move: best.line[0]?.move, kind: "best" },
    ]);
  },

  /** Show the lines of a role, each in a row of fixed height. */
  showLines(role, lines, event) {
    const list = id(ROLES[role]);
    const beside = role === "second" && id("second").value === "";
    list.hidden = id(`${role}-head`).hidden = beside || app.embedded;
    const wanted = review.trying ? [] : lines ?? [];
    const rows = Math.max(wanted.length, Number(id("lines").value));
    while (list.children.length < rows) list.append(row());
    while (list.children.length > rows) list.lastChild.remove();
    [...list.children].forEach((each, rank) => fillRow(each, wanted[rank]));
    const which = id(role === "second" ? "second" : "analyst");
    const facts = event && [`depth ${event.lines[0]?.depth ?? "?"}`,
      event.nodes && `${short(event.nodes)} nodes`, event.speed && `${short(event.speed)}/s`];
    const depth = wanted[0]?.depth ? [`depth ${wanted[0].depth}`] : [];
    id(`${role}-head`).textContent = [which.selectedOptions[0]?.textContent ?? "",
      ...(facts || depth).filter(Boolean)].join(" · ");
  },

  /** Show what the opponent would play if it were their move. */
  async threat() {
    const { game } = app, { current, setup, facts: { looks } } = game, { view } = current;
    if (!view.editable || view.check) throw new Error("There is no threat to show in this position.");
    const { text } = await call("arrange", { ...setup, side: 1 - view.side, rows: view.rows,
      rights: looks.rights ? rightsOf(view.text) : "", hands: handsOf(view, looks) });
    const body = { ...setup, start: text, moves: [] }, { moves } = await call("position", body);
    if (app.game.current !== current) return;
    const answered = ({ move, ...spelt }) => {
      if (!move) return;
      const { from, to } = moves.find((each) => each.move === move);
      app.point([...app.arrows.filter(({ kind }) => kind !== "threat"), { from, to, kind: "threat" }]);
      say(`${view.colours[1 - view.side]} threatens ${wordsOf(spelt)}`);
    };
    await new Search("hint", { move: answered }).start({
      ...body, engine: Number(id("analyst").value), movetime: THREAT });
  },

  // ---- bar and graph ----------------------------------------------------------------

  showVerdict() {
    analyse.showBar();
    const { game } = app;
    const nodes = [game.root, ...game.through()];
    // the analysis of a whole game goes from its end to its start
    const since = review.running ? nodes.findLastIndex(({ note }) => !note) + 1 : 0;
    drawGraph(id("graph"), nodes, game.current, app.visit, since);
  },

  showBar() {
    const note = review.trying ? null : app.game.current.note;
    id("bar-first").style.transform = `scaleY(${Math.round(1000 * (note?.share ?? 0.5)) / 1000})`;
    id("bar").classList.toggle("flipped", app.flipped !== (app.game.facts.looks.bottom === 1));
    const score = Number(note?.score ?? NaN);
    id("bar-text").textContent =
      Number.isFinite(score) ? score.toFixed(Math.abs(score) < 9.95 ? 1 : 0) : "";
    id("bar").setAttribute("aria-label", `Evaluation: ${note?.score ?? "none yet"}`);
  },

  start() {
    for (const name of ["analyst", "second"]) id(name).append(...engineChoices());
    id("engine-on").addEventListener("click", guarded(analyse.toggle));
    id("threat").addEventListener("click", guarded(analyse.threat));
    for (const box of ["lines", "analyst", "second"])
      id(box).addEventListener("change", guarded(() => {
        for (const role of Object.keys(ROLES)) analyse.showLines(role, null);
        return analyse.on ? analyse.think() : null;
      }));
    Object.values(ROLES).map(id).forEach(previewLines);
    review.start(analyse);
  },
};

/** Return an empty row of an engine's lines. */
function row() {
  const more = element("button", { class: "more", "aria-expanded": "false",
    "aria-label": "Show the whole line", onclick: () => {
      const open = more.getAttribute("aria-expanded") !== "true";
      more.setAttribute("aria-expanded", open);
      more.parentNode.classList.toggle("open", open);
    } }, "▾");
  return element("li", {}, element("span", { class: "value" }), element("span", { class: "pv" }), more);
}

/** Play an engine's line up to the move of a button, as a variation. */
function follow({ target }) {
  guarded(app.go)(app.game.reach(lineTo(target), app.game.stem));
}

/** Fill a row; unchanged elements stay, so that nothing moves under the pointer. */
function fillRow(box, { score = "", line = [] } = {}) {
  const [value, way, more] = box.children;
  box.line = line; // for lineTo()
  if (value.textContent !== score) value.textContent = score;
  more.hidden = line.length === 0;
  while (way.children.length > line.length) way.lastChild.remove();
  const same = [...way.children].findIndex((each, index) => each.textContent !== wordsOf(line[index]));
  while (same >= 0 && way.children.length > same) way.lastChild.remove();
  for (const step of line.slice(way.children.length)) way.append(element("button", pressed(follow), wordsOf(step)));
  let { number, side: before } = app.game.current.view;
  line.forEach(({ side }, index) => {
    number += side < before;
    before = side;
    way.children[index].dataset.number = index && side ? "" : turnNumber({ number, side });
  });
}

// ---- the position after the move under the pointer or the focus ------------------------

/** Return an engine's line up to the move of a button in its row. */
const lineTo = (button) =>
  button.closest("li").line.slice(0, [...button.parentNode.children].indexOf(button) + 1);

async function showPreview(button) {
  const body = app.game.body(), { facts, current, setup: { game } } = app.game;
  const moves = [...body.moves, ...lineTo(button).map(({ move }) => move)];
  const seen = await call("position", { ...body, moves }).catch(() => null);
  if (!seen?.rows || app.game.current !== current || timer === null || !button.isConnected) return;
  preview ??= new Grid(id("preview"));
  preview.flipped = app.flipped;
  preview.show({ ...facts, ...seen, name: game, moves: [] });
  const box = button.getBoundingClientRect(), { style } = id("preview");
  id("preview").showPopover();
  style.left = `${Math.min(box.left, innerWidth - id("preview").offsetWidth - 8)}px`;
  style.top = box.bottom + id("preview").offsetHeight + 8 < innerHeight ? `${box.bottom + 4}px`
    : `${box.top - id("preview").offsetHeight - 4}px`;
}

function hide() {
  clearTimeout(timer);
  timer = null;
  id("preview").hidePopover();
}

/** Show previews for the moves in a list. */
function previewLines(list) {
  app.leaving.push(hide);
  for (const kind of ["mouseover", "focusin"])
    list.addEventListener(kind, ({ target }) => {
      hide();
      if (target.matches(".pv button")) timer = setTimeout(showPreview, DELAY, target);
    });
  for (const kind of ["mouseleave", "focusout", "click", "pointerdown"]) list.addEventListener(kind, hide);
}
