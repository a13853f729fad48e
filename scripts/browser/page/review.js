// The analysis of a whole game: progress, marks, accuracy, the next mistake, and "try it yourself".

import { app, guarded, say } from "./app.js";
import { element, id, short } from "./dom.js";
import { Search } from "./engines.js";
import { turnNumber } from "./game.js";
import { MARKS } from "./moves.js";
import { engineOptions, limitOf } from "./settings.js";
import { liked } from "./store.js";

const SEVERE = ["?!", "?", "??"];
const ENOUGH = 0.1; // a good answer loses less than this of the expected score
const LOOK = 0.8; // seconds for which the engine checks an answer
const COST = 4; // an analysis takes at most this many times the time for its positions (scripts/report/analysis.py)

export const review = {
  game: null, // the analysed game
  nodes: [], // its main line, root first
  running: false,
  stopped: false,
  search: null,
  trying: null, // {node: the mistake} while the user looks for a better move
  analyse: null,

  // ---- analyse the whole game -------------------------------------------------------

  async run() {
    const { game } = app;
    review.giveUp();
    const end = game.through(game.root).at(-1);
    if (!end) throw new Error("there are no moves to analyse yet");
    if (review.analyse.on) await review.analyse.turn(false);
    Object.assign(review, { game, running: true, stopped: false });
    review.nodes = [game.root, ...game.through(game.root)];
    review.show();
    const engine = Number(id("analyst").value), limit = limitOf(id("effort").value);
    const failed = ({ error }) => {
      review.interrupted();
      say(error, true);
    };
    review.search = new Search("review", { review: review.progress, reviewed: review.done, failed,
      lost: review.interrupted });
    await review.search.start({ ...game.body(end), ...engineOptions(), ...limit, engine, whole: true });
  },

  /** Show that the analysis has ended early: "Go on" resumes from what was found. */
  interrupted() {
    Object.assign(review, { running: false, stopped: true });
    review.show();
  },

  stop() {
    if (!review.running) return;
    review.search.stop();
    review.interrupted();
    guarded(review.analyse.goOn)();
  },

  progress({ share, words, positions }) {
    for (const [ply, note] of Object.entries(positions)) {
      const node = review.nodes[ply];
      if (node) node.note = { ...node.note, lines: null, ...note };
    }
    id("progress").value = share;
    id("review-words").textContent = words;
    if (app.game === review.game && Object.keys(positions).length) {
      review.analyse.showVerdict();
      app.changed();
    }
  },

  done({ game: { line, review: summary } }) {
    review.running = false;
    const { game, nodes } = review;
    const better = line.map(({ variations = [] }) => variations[0] ?? []);
    line.forEach(({ mark = "" }, index) => {
      const [node, parent] = [nodes[index + 1], nodes[index]];
      dropLine(parent, game.review?.better?.[index] ?? []);
      if (mark || SEVERE.includes(node.mark)) node.mark = mark; // a "!" of the user's stays
      if (better[index].length) game.keep(game.reach(better[index], parent));
    });
    game.review = { ...summary, better };
    if (app.game !== game) return;
    app.changed();
    app.refresh();
    guarded(review.analyse.goOn)();
  },

  show() {
    const { game } = app, summary = game?.review;
    const busy = review.running;
    const waits = review.stopped && review.game === game && !summary;
    id("review").textContent = busy ? "Stop" : waits ? "Go on"
      : summary ? "Analyse again" : "Analyse the whole game";
    id("progress").hidden = !busy && !waits;
    id("review-words").hidden = !busy && !waits;
    id("review-hint").hidden = busy || waits || Boolean(summary);
    id("accuracy").hidden = !summary || busy;
    if (summary) id("accuracy").replaceChildren(...table(game, summary));
    const positions = game ? game.through(game.root).length + 1 : 0;
    const [kind, each] = id("effort").value.split(" "), total = COST * positions * Number(each);
    id("review-cost").textContent = kind === "nodes" ? `Takes at most ${short(total)} nodes.`
      : `Takes at most ${Math.max(1, Math.round(total))} s.`;
    const mistakes = review.mistakes();
    id("next-mistake").disabled = busy || !mistakes.length;
    id("try").disabled = busy || app.embedded || !review.mistakeHere();
    id("better").disabled = busy || !review.betterHere();
    id("better").textContent = review.trying ? "Show the answer" : "Better move";
    id("try").setAttribute("aria-pressed", Boolean(review.trying));
  },

  // ---- mistakes ---------------------------------------------------------------------

  mistakes() {
    return app.game.through(app.game.root).filter(({ mark }) => SEVERE.includes(mark));
  },

  /** Return the mistake that the user is asked about, else the one on the board, or null. */
  mistakeHere() {
    const { current } = app.game;
    return review.trying?.node ?? (SEVERE.includes(current.mark) && current.parent ? current : null);
  },

  /** Return a better move than the mistake of mistakeHere(), or null. */
  betterHere() {
    const node = review.mistakeHere();
    return node && review.betterThan(node);
  },

  /** Return an alternative to a mistake: one of the record (the engine's best move, if it is among them), else
   * the engine's best move, or null if it isn't known. */
  betterThan(node) {
    const { parent } = node, best = parent.note?.line?.[0]?.move;
    const others = parent.children.filter((each) => each !== node && !SEVERE.includes(each.mark));
    return others.find(({ move }) => move === best) ?? others[0]
      ?? (best && best !== node.move ? app.game.reach([best], parent) : null);
  },

  /** Go to the better move; if the user was asked for it, it counts as not found. */
  async showBetter() {
    const { trying } = review, answer = review.betterHere();
    if (!answer) return;
    if (trying) review.fail();
    await app.go(answer);
    if (trying) say(`The answer: ${answer.words}`);
  },

  /** Go from a variation back to the game's move that it replaces. */
  leave() {
    const line = app.game.through(app.game.root);
    const own = app.game.current.path.filter((node) => line.includes(node));
    if (own.length < app.game.current.path.length) app.visit(line[own.length]);
  },

  /** Go to the next mistake (way 1) or the previous one (way -1); after the last comes the first.  In a
   * variation, look from the move that it replaces. */
  next(way = 1) {
    const found = review.mistakes(), { path } = app.game.current;
    const line = app.game.through(app.game.root);
    const own = path.filter((node) => line.includes(node)).length;
    const at = own < path.length ? own : own - 1;
    const after = found.find((node) => line.indexOf(node) > at) ?? found[0];
    const before = found.filter((node) => line.indexOf(node) < at).at(-1) ?? found.at(-1);
    const target = way > 0 ? after : before;
    if (target) app.visit(target);
  },

  // ---- try it yourself --------------------------------------------------------------

  /** Ask the user for a better move than the mistake on the board. */
  async ask() {
    if (review.trying) {
      const { node } = review.trying;
      review.giveUp();
      return app.go(node);
    }
    const node = review.mistakeHere();
    return app.go(node.parent, { ready: () => { review.trying = { node, said: null }; } });
  },

  /** Return the question or the response to the last answer, or null. */
  question() {
    if (!review.trying) return null;
    const { node, said } = review.trying;
    const name = node.parent.view.colours[node.side];
    return said ?? `Find a better move for ${name} than ${turnNumber(node)} ${node.words}`;
  },

  giveUp() {
    review.trying = null;
  },

  /** Judge the user's answer: at once if its worth is known, else with the engine. */
  async tried(move) {
    const { node } = review.trying, { parent } = node;
    const answer = app.game.reach([move], parent);
    if (answer === node) {
      review.fail();
      return review.say("That move was played in the game. Try another one");
    }
    const known = parent.note?.line?.[0]?.move === move || parent.children.includes(answer)
      && !SEVERE.includes(answer.mark);
    if (known) return review.right(answer);
    review.say(`${answer.words}: the engine is checking it…`);
    for (const each of [parent, answer]) {
      await review.weigh(each);
      if (review.trying?.node !== node) return null;
    }
    return review.judge(answer);
  },

  /** Give a position an evaluation if it has none: its result, or that of a short search. */
  async weigh(node) {
    await app.game.load(node);
    if (node.over) return node.settle();
    if (node.note) return null;
    return new Promise((resolve, reject) => {
      const lines = (event) => { node.note = { ...event.lines[0], lines: event.lines }; };
      const failed = ({ error }) => reject(new Error(error));
      new Search("hint", { lines, move: resolve, failed, lost: failed }).start({
        ...app.game.body(node), engine: Number(id("analyst").value), movetime: LOOK });
    });
  },

  judge(answer) {
    const { side, parent } = answer;
    const change = (parent.note?.share ?? 0.5) - (answer.note?.share ?? 0.5);
    const lost = side === 0 ? change : -change;
    if (lost < ENOUGH) return review.right(answer);
    review.fail();
    return review.say(`${answer.words} also loses ${Math.round(100 * lost)} %. Try again`);
  },

  /** Tell a puzzle that its first answer was wrong. */
  fail() {
    const { ended } = review.trying;
    review.trying.ended = null;
    ended?.(false);
  },

  async right(answer) {
    const { ended } = review.trying;
    await app.go(answer);
    say(`Right: ${answer.words} is better`);
    ended?.(true);
  },

  say(words) {
    review.trying.said = words;
    app.draw();
  },

  // ---- setup ------------------------------------------------------------------------

  start(analyse) {
    review.analyse = analyse;
    app.leaving.push((other) => {
      review.giveUp();
      if (!other || !review.running) return;
      review.interrupted();
      analyse.on = liked("engine", true);
      analyse.showSwitch();
    });
    id("effort").addEventListener("change", review.show);
    id("review").addEventListener("click", guarded(() =>
      review.running ? review.stop() : review.run()));
    id("next-mistake").addEventListener("click", guarded(() => review.next()));
    id("try").addEventListener("click", guarded(review.ask));
    id("better").addEventListener("click", guarded(review.showBetter));
  },
};

/** Remove a line that an earlier analysis added below a node, unless the user has changed it. */
function dropLine(parent, line) {
  const added = [];
  for (let node = parent; added.length < line.length; node = added.at(-1)) {
    const next = node.children.find(({ move }) => move === line[added.length].move);
    const plain = next && next !== app.game.current && !next.comment && !next.mark;
    if (!plain || node !== parent && node.children.length > 1) return;
    added.push(next);
  }
  const [first] = added;
  if (first && !added.at(-1).children.length && first !== parent.children[0])
    parent.children = parent.children.filter((each) => each !== first);
}

/** Return the children of the table of the players' accuracy and mistakes. */
function table(game, { accuracy, counts, engine, effort }) {
  const names = Object.keys(counts[0]), signOf = (name) => SEVERE.find((mark) => MARKS[mark] === name);
  const plural = (name) => (name === "inaccuracy" ? "inaccuracies" : `${name}s`);
  const rows = [0, 1].map((side) => element("tr", {},
    element("th", { scope: "row" }, game.players[side] || game.facts.colours[side]),
    element("td", {}, accuracy[side] === null ? "–" : `${accuracy[side].toFixed(1)} %`),
    ...names.map((name) => element("td", { class: name }, counts[side][name]))));
  return [
    element("caption", {}, `${engine}, ${effort}`),
    element("thead", {}, element("tr", {}, element("td"), element("th", { scope: "col" }, "accuracy"),
      ...names.map((name) => element("th", { scope: "col", class: name }, element("abbr", { title: plural(name),
        "aria-label": plural(name) }, signOf(name)))))),
    element("tbody", {}, ...rows),
  ];
}
