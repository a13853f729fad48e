// Learn: minimax and alpha-beta on a tree, visit by visit, and a quiz about what is pruned.

import { app, guarded } from "./app.js";
import { element, id, svg } from "./dom.js";
import { call } from "./server.js";
import { edgeLine, place, treeNode, treePicture } from "./tree.js";

const MOST_LEAVES = 300; // at a depth of 2: the server draws no more than 400 nodes (trees.py)

export const learn = {
  lesson: null, // what the server said: see lesson.py
  at: 0, // the step that is shown
  timer: null,
  guesses: null, // a quiz: the numbers of the nodes that are held to be pruned
  checked: false,

  mayMove: () => false,
  move() {},
  step() {},

  async shown() {
    // Until one is typed, the depth is one whose tree can be drawn.
    const { moves } = app.game.current.view;
    id("plies").defaultValue = moves.length ** 2 < MOST_LEAVES ? 2 : 1;
    if (!learn.lesson) await learn.load({ tree: id("tree").value });
  },

  left() {
    learn.pause();
  },

  // ---- the search -------------------------------------------------------------------

  async load(body) {
    learn.pause();
    const asked = (learn.body = { ...body });
    id("tree-error").textContent = "";
    try {
      const lesson = await call("lesson", { ...body, algorithm: id("algorithm").value });
      if (learn.body !== asked) return; // another one was asked for meanwhile
      learn.lesson = lesson;
      learn.quiz(false);
    } catch (error) {
      id("tree-error").textContent = error.message;
    }
  },

  go(step) {
    if (!learn.lesson) return;
    learn.at = Math.max(0, Math.min(learn.lesson.steps.length - 1, step));
    if (learn.at === learn.lesson.steps.length - 1) learn.pause();
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
    if (learn.at === learn.lesson.steps.length - 1) learn.at = -1;
    id("tree-play").textContent = "Pause";
    learn.go(learn.at + 1);
    learn.timer = setInterval(() => learn.go(learn.at + 1), 1000 / Number(id("speed").value));
  },

  // ---- the quiz ---------------------------------------------------------------------

  quiz(on) {
    if (!learn.lesson) return;
    learn.guesses = on ? new Set() : null;
    learn.checked = false;
    id("quiz").setAttribute("aria-pressed", on);
    id("check").hidden = !on;
    for (const button of document.querySelectorAll("#tree-steps button, #tree-steps input"))
      button.disabled = on;
    learn.go(0);
    if (on)
      id("tree-words").textContent =
        "Click every branch that alpha-beta never visits, then “Check”.";
  },

  guess(node) {
    if (!learn.guesses || learn.checked) return;
    const wanted = !learn.guesses.has(node.number);
    for (const number of below(node)) {
      if (wanted) learn.guesses.add(number);
      else learn.guesses.delete(number);
    }
    learn.draw();
    id("tree-words").textContent = `${learn.guesses.size} nodes chosen`;
  },

  check() {
    const right = learn.truth();
    const found = [...learn.guesses].filter((number) => right.has(number)).length;
    learn.checked = true;
    learn.draw();
    const wrong = learn.guesses.size - found;
    const { total } = learn.lesson;
    id("tree-words").textContent = found === right.size && !wrong
      ? `All right: ${right.size} of ${total} nodes are never visited.`
      : `${found} of the ${right.size} pruned nodes found, ${wrong} wrong.`;
  },

  /** The numbers of all nodes that the search never visits. */
  truth: () => new Set(learn.lesson.steps.flatMap((step) => step.pruned)),

  // ---- drawing ----------------------------------------------------------------------

  /** What is known at the step that is shown. */
  known() {
    const known = {
      values: {},
      visited: new Set(),
      pruned: new Set(),
      cut: new Set(),
      windows: {},
    };
    for (const step of learn.guesses ? [] : learn.lesson.steps.slice(0, learn.at + 1)) {
      Object.assign(known.values, step.values);
      if (step.node !== null) {
        known.visited.add(step.node);
        known.windows[step.node] = step.window;
      }
      step.pruned.forEach((number) => known.pruned.add(number));
      step.cut.forEach((number) => known.cut.add(number));
    }
    return known;
  },

  draw() {
    const { nodes, steps, total, colours } = learn.lesson;
    const step = steps[learn.at];
    const known = learn.known();
    const picture = treePicture(learn.lesson, colours, "The tree");
    for (const node of nodes)
      for (const child of node.children) picture.append(...edge(node, nodes[child], known, step));
    for (const node of nodes) picture.append(learn.node(node, known, step));
    id("tree-picture").replaceChildren(picture);
    id("tree-where").value = learn.at;
    id("tree-where").max = steps.length - 1;
    const saved = known.pruned.size;
    const share = saved ? ` (${Math.round((100 * saved) / total)} % saved)` : "";
    const count = `${known.visited.size} of ${total} nodes visited, ${saved} pruned${share}`;
    id("tree-count").textContent = learn.guesses ? "" : count;
    if (!learn.guesses) id("tree-words").textContent = step.words;
    showAcross(picture.querySelector(".current"), id("tree-picture"));
  },

  node(node, known, step) {
    const { number } = node;
    const value = known.values[number] ?? (node.leaf ? node.value : "");
    const state = learn.guesses ? quizState(number) : nodeState(number, known, step);
    const group = treeNode(node, state, value, {
      onclick: () => learn.guess(node),
      ...(learn.guesses ? learn.question(node) : {}),
    });
    if (id("windows").checked && known.windows[number]) {
      const y = node.leaf ? (node.label ? 45 : 30) : 38;
      group.append(svg("text", { class: "window", y }, known.windows[number]));
    }
    return group;
  },

  /** What makes a node a box to be ticked: is it pruned? */
  question(node) {
    const { number } = node;
    const press = (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      learn.guess(node);
      id("tree-picture").querySelector(`[data-node="${number}"]`).focus();
    };
    const label = `${node.leaf ? `leaf ${node.value}` : "node"} ${node.label || number}`;
    return {
      tabindex: 0,
      role: "checkbox",
      "aria-checked": String(learn.guesses.has(number)),
      "aria-label": label,
      onkeydown: press,
    };
  },

  // ---- the page's part --------------------------------------------------------------

  start() {
    const { examples } = app.facts;
    const names = examples.map(([name], number) => element("option", { value: number }, name));
    id("example").replaceChildren(...names);
    id("tree").value = examples[0][1];
    setUp();
  },
};

function setUp() {
  const again = guarded(() => learn.load(learn.body));
  id("example").addEventListener(
    "change",
    guarded(() => {
      id("tree").value = app.facts.examples[Number(id("example").value)][1];
      return learn.load({ tree: id("tree").value });
    }),
  );
  id("tree-form").addEventListener(
    "submit",
    guarded((event) => {
      event.preventDefault();
      return learn.load({ tree: id("tree").value });
    }),
  );
  id("from-board").addEventListener(
    "click",
    guarded(() => learn.load({ ...app.game.body(), depth: Number(id("plies").value) })),
  );
  id("algorithm").addEventListener("change", again);
  id("windows").addEventListener("change", () => learn.lesson && learn.draw());
  id("quiz").addEventListener("click", () => learn.quiz(!learn.guesses));
  id("check").addEventListener("click", () => learn.check());
  id("tree-play").addEventListener("click", () => learn.play());
  for (const [name, move] of Object.entries({
    first: -Infinity,
    back: -1,
    next: 1,
    last: Infinity,
  })) {
    id(`tree-${name}`).addEventListener("click", () => {
      learn.pause();
      learn.go(learn.at + move);
    });
  }
  id("tree-where").addEventListener("input", () => learn.go(Number(id("tree-where").value)));
  document.addEventListener("keydown", onKey);
}

function onKey(event) {
  if (app.tab !== learn || !learn.lesson || learn.guesses) return;
  // the space bar presses the button that it is on
  const own = event.key === " " ? "input, select, textarea, button" : "input, select, textarea";
  const keys = {
    ArrowLeft: () => learn.go(learn.at - 1),
    ArrowRight: () => learn.go(learn.at + 1),
    Home: () => learn.go(0),
    End: () => learn.go(Infinity),
    " ": () => learn.play(),
  };
  if (!keys[event.key] || event.target.closest(own)) return;
  event.preventDefault();
  keys[event.key]();
}

/** Move a wide tree sideways until a node is in the middle of its window. */
function showAcross(node, window) {
  if (!node) return;
  const [inner, outer] = [node, window].map((each) => each.getBoundingClientRect());
  window.scrollLeft += inner.x + inner.width / 2 - (outer.x + outer.width / 2);
}

/** The numbers of a node and of all nodes below it. */
function below(node) {
  return [node.number, ...node.children.flatMap((child) => below(learn.lesson.nodes[child]))];
}

/** How a node of the search is drawn at a step. */
function nodeState(number, known, step) {
  if (step.node === number) return "current";
  if (step.line.includes(number)) return "best";
  if (known.pruned.has(number)) return "gone";
  return known.visited.has(number) ? "seen" : "unseen";
}

function quizState(number) {
  const guessed = learn.guesses.has(number);
  if (!learn.checked) return guessed ? "guessed" : "seen";
  const right = learn.truth().has(number);
  return guessed ? (right ? "right" : "wrong") : right ? "missed" : "seen";
}

function edge(node, child, known, step) {
  const state =
    step.line.includes(child.number) && !learn.guesses
      ? "best"
      : known.pruned.has(child.number)
        ? "gone"
        : known.visited.has(child.number) || learn.guesses
          ? "seen"
          : "unseen";
  const found = [edgeLine(node, child, state)];
  if (known.cut.has(child.number)) {
    const [x1, y1] = place(node);
    const [x2, y2] = place(child);
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    found.push(
      svg("path", {
        class: "cut",
        d: `M${x - 9} ${y - 4}L${x + 9} ${y + 4}M${x - 9} ${y + 4}L${x + 9} ${y - 4}`,
      }),
    );
  }
  return found;
}
