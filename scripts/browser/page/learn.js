// Learn: minimax and alpha-beta on a tree, visit by visit, alone or side by side.

import { app, guarded } from "./app.js";
import { element, id, svg } from "./dom.js";
import { quiz } from "./quiz.js";
import { call } from "./transport.js";
import { drawTree } from "./tree.js";

const MAX_LEAVES = 300; // estimated, at depth 2: the server draws at most 400 nodes (trees.py)
const NAMES = { alphabeta: "Alpha-beta", minimax: "Minimax" };

export const learn = {
  lessons: [], // one a search on screen, as lesson.py returns them
  at: 0, // the current step of the longest one
  timer: null,

  mayMove: () => false,
  move() {},
  step() {},

  get keys() {
    return !learn.lesson || quiz.on ? {} : {
      ArrowLeft: () => learn.go(learn.at - 1), ArrowRight: () => learn.go(learn.at + 1),
      Home: () => learn.go(0), End: () => learn.go(Infinity),
      " ": () => learn.play(),
    };
  },

  async shown() {
    if (!learn.lesson) await learn.load({ tree: id("tree").value });
    learn.limitDepth();
  },

  left() {
    learn.pause();
  },

  /** Until the user types a depth, use one whose tree is small enough to draw. */
  limitDepth() {
    const { moves } = app.game.current.view;
    id("plies").defaultValue = moves.length ** 2 < MAX_LEAVES ? 2 : 1;
  },

  /** Return the body of a lesson about the game on the board. */
  boardBody() {
    return { ...app.game.body(), depth: Number(id("plies").value), boards: id("boards").checked };
  },

  /** Another game was chosen: search it, or the tree in the field if the game is a tree. */
  async takeBoard() {
    learn.limitDepth();
    await learn.load(app.game.facts.textbook ? { tree: id("tree").value } : learn.boardBody());
  },

  /** The search that the explanations and the quiz are about. */
  get lesson() {
    return learn.lessons[0];
  },

  /** The search that the timeline follows: of two, the one that visits every node. */
  get longest() {
    return learn.lessons.at(-1);
  },

  // ---- the search -------------------------------------------------------------------

  async load(body) {
    learn.pause();
    const asked = (learn.body = { ...body });
    const chosen = id("algorithm").value;
    const algorithms = chosen === "both" ? ["alphabeta", "minimax"] : [chosen];
    id("tree-error").textContent = "";
    try {
      const found = algorithms.map(async (algorithm) => ({
        ...(await call("lesson", { ...body, algorithm })), algorithm }));
      const lessons = await Promise.all(found);
      if (learn.body !== asked) return; // another search was requested meanwhile
      learn.lessons = lessons;
      id("other").hidden = lessons.length < 2;
      [id("first-name").textContent, id("second-name").textContent] = learn.lesson.colours;
      quiz.end();
    } catch (error) {
      if (learn.body === asked) id("tree-error").textContent = error.message;
    }
  },

  go(step) {
    if (!learn.lesson) return;
    const last = learn.longest.steps.length - 1;
    learn.at = Math.max(0, Math.min(last, step));
    if (learn.at === last) learn.pause();
    learn.draw();
  },

  pause() {
    clearInterval(learn.timer);
    learn.timer = null;
    id("tree-play").textContent = "Play";
  },

  play() {
    if (!learn.lesson) return;
    if (learn.timer) {
      learn.pause();
      return;
    }
    if (!id("speed").reportValidity()) return;
    if (learn.at === learn.longest.steps.length - 1) learn.at = -1;
    id("tree-play").textContent = "Pause";
    learn.go(learn.at + 1);
    learn.timer = setInterval(() => learn.go(learn.at + 1), 1000 / Number(id("speed").value));
  },

  /** Return the step of a lesson that corresponds to the timeline's step. */
  stepOf(lesson) {
    if (lesson === learn.longest) return learn.at;
    if (learn.at === learn.longest.steps.length - 1) return lesson.steps.length - 1;
    // Both visit nodes in the same order, so count the visits that they share.
    const shared = new Set(lesson.steps.map(({ node }) => node));
    const before = learn.longest.steps.slice(0, learn.at + 1);
    return before.filter(({ node }) => shared.has(node)).length - 1;
  },

  // ---- drawing ----------------------------------------------------------------------

  draw() {
    const { longest } = learn;
    id("tree-where").max = longest.steps.length - 1;
    id("tree-where").value = learn.at;
    if (quiz.on) {
      quiz.draw(drawLesson);
      return;
    }
    const pictures = [["tree-picture", "tree-count"], ["other-picture", "other-count"]];
    learn.lessons.forEach((lesson, number) => {
      const step = lesson.steps[learn.stepOf(lesson)], [picture, count] = pictures[number];
      const seen = lesson.nodes.filter((node) => !["gone", "unseen"].includes(step.states[node.number]));
      drawLesson(id(picture), lesson, {
        ...step, windows: new Map(seen.map((node) => [node.number, node.window])) });
      id(count).textContent = learn.counts(lesson, seen.length, step);
    });
    const step = longest.steps[learn.at], own = learn.lesson.steps[learn.stepOf(learn.lesson)];
    id("tree-words").textContent = own.words;
    id("tree-why").textContent = step.node === own.node ? own.why
      : `Minimax visits node ${step.node}, which alpha-beta pruned.`;
  },

  counts({ algorithm, total }, visited, { states }) {
    const name = learn.lessons.length > 1 ? `${NAMES[algorithm]}: ` : "";
    const saved = states.filter((state) => state === "gone").length;
    const share = saved ? ` (${Math.round((100 * saved) / total)} % saved)` : "";
    return `${name}${visited} of ${total} nodes visited, ${saved} pruned${share}`;
  },

  // ---- setup ------------------------------------------------------------------------

  start() {
    const { examples } = app.facts;
    const names = examples.map(([name], number) => element("option", { value: number }, name));
    id("example").replaceChildren(...names);
    id("tree").value = examples[0][1];
    setUp();
    quiz.start(learn);
  },
};

/**
 * Draw a lesson's tree into a box.  shown: a step of it, or what a quiz shows in place of one:
 * {states, values, cut, owners}, and windows: number of a node -> text.  attributes: see tree.js.
 */
function drawLesson(box, lesson, shown, attributes) {
  const states = shown.states.map((state, number) =>
    shown.owners?.includes(number) ? `${state} owner` : state);
  const picture = drawTree(lesson, lesson.colours, `The tree of ${NAMES[lesson.algorithm]}`, {
    ...shown, states, attributes, besides: (node) => besides(node, shown.windows.get(node.number)) });
  box.replaceChildren(picture);
  showAcross(picture.querySelector(".current"), box);
}

/** Return the labels around a node: its number, window and board. */
function besides({ number, label, leaf, wide, board }, window) {
  const found = [], half = leaf ? 15 : 22;
  if (id("numbers").checked && !label)
    found.push(svg("text", { class: "number", x: -wide / 2, y: -half - 3 }, String(number)));
  if (id("windows").checked && window) {
    const y = leaf ? (label ? 45 : 30) : 38;
    found.push(svg("text", { class: "window", y }, window));
  }
  if (board) {
    const drawn = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg">${board[0]}</svg>`, "image/svg+xml");
    const top = -half - learn.lesson.above;
    found.push(svg("g", { class: "node-board", transform: `translate(${-board[1] / 2} ${top})` },
      ...document.importNode(drawn.documentElement, true).children));
  }
  return found;
}

function setUp() {
  const again = guarded(() => learn.load(learn.body));
  const tree = () => learn.load({ tree: id("tree").value });
  const on = (name, event, work) => id(name).addEventListener(event, guarded(work));
  on("example", "change", () => {
    id("tree").value = app.facts.examples[Number(id("example").value)][1];
    return tree();
  });
  on("tree-form", "submit", (event) => {
    event.preventDefault();
    return tree();
  });
  on("random", "click", async () => {
    if (!id("seed").reportValidity()) return;
    const wanted = { difficulty: id("difficulty").value, seed: Number(id("seed").value) };
    id("tree").value = (await call("random_tree", wanted)).tree;
    id("seed").value = (wanted.seed + 1) % 1_000_000;
    await tree();
  });
  on("from-board", "click", () => learn.load(learn.boardBody()));
  on("boards", "change", () => learn.body.tree === undefined
    && learn.load({ ...learn.body, boards: id("boards").checked }));
  on("algorithm", "change", again);
  for (const name of ["windows", "numbers"]) on(name, "change", () => learn.lesson && learn.draw());
  on("fit", "click", () => {
    const fits = id("trees").classList.toggle("fit");
    id("fit").setAttribute("aria-pressed", fits);
  });
  on("tree-play", "click", () => learn.play());
  const steps = { first: -Infinity, back: -1, next: 1, last: Infinity };
  for (const [name, move] of Object.entries(steps)) {
    on(`tree-${name}`, "click", () => {
      learn.pause();
      learn.go(learn.at + move);
    });
  }
  on("tree-where", "input", () => learn.go(Number(id("tree-where").value)));
}

/** Scroll a wide tree sideways to centre a node. */
function showAcross(node, window) {
  if (!node) return;
  const [inner, outer] = [node, window].map((each) => each.getBoundingClientRect());
  window.scrollLeft += inner.x + inner.width / 2 - (outer.x + outer.width / 2);
}
