// The quizzes of the tab Learn: pruned nodes, values of nodes, windows of nodes.

import { counted, element, id } from "./dom.js";

const MAX_QUESTIONS = 10;

// Spellings of an open end of a window: those that a user may type, and a lesson's.
const OPEN = { "": true, "-inf": true, inf: true, "+inf": true, "−∞": true, "-∞": true, "∞": true };
const normal = (text) => {
  const typed = text.trim().toLowerCase().replace("−", "-").replace(/^\+/, "");
  return OPEN[typed] ? "open" : typed.toUpperCase();
};

export const quiz = {
  on: false,
  kind: "pruning",
  learn: null,
  guesses: new Set(), // numbers of the nodes that the user marked as pruned
  checked: false,
  questions: [], // numbers of nodes (values) or steps (windows)
  asked: 0,
  right: 0,
  states: new Map(), // number of a node -> "right" or "wrong"
  shown: new Map(), // number of a node -> its value or window, once answered

  start(learn) {
    quiz.learn = learn;
    id("quiz").addEventListener("click", () => (quiz.on ? quiz.end() : quiz.begin()));
    id("quiz-kind").addEventListener("change", () => quiz.on && quiz.begin());
    id("check").addEventListener("click", () => quiz.check());
    id("answer").addEventListener("submit", (event) => {
      event.preventDefault();
      quiz.answer();
    });
  },

  begin() {
    const { learn } = quiz;
    if (!learn.lesson) return;
    learn.pause();
    Object.assign(quiz, { on: true, kind: id("quiz-kind").value, checked: false, asked: 0,
      right: 0, shown: new Map() });
    quiz.guesses = new Set();
    quiz.states = new Map();
    const searched = learn.lessons.find(({ algorithm }) => algorithm === "alphabeta");
    if (quiz.kind !== "values" && !searched) {
      quiz.end();
      id("tree-words").textContent = "This quiz is about alpha-beta: select that search first.";
      return;
    }
    quiz.lesson = searched ?? learn.lesson;
    quiz.questions = { pruning: () => [], values: valueQuestions, windows: windowQuestions }[
      quiz.kind](quiz.lesson);
    quiz.controls(true);
    id("tree-why").textContent = quiz.kind === "pruning"
      ? "Click every branch that alpha-beta never visits, then “Check”." : "";
    id("tree-words").textContent = "";
    id("tree-count").textContent = id("other-count").textContent = "";
    quiz.ask();
  },

  end() {
    quiz.on = false;
    quiz.controls(false);
    quiz.learn.go(0);
  },

  /** Show the quiz's controls and hide those that give answers away. */
  controls(on) {
    id("quiz").setAttribute("aria-pressed", on);
    id("quiz").textContent = on ? "End the quiz" : "Start the quiz";
    id("check").hidden = !on || quiz.kind !== "pruning";
    id("answer").hidden = !on || quiz.kind === "pruning";
    id("other").hidden = on || quiz.learn.lessons.length < 2;
    for (const button of document.querySelectorAll("#tree-steps button, #tree-steps input"))
      button.disabled = on;
  },

  // ---- pruned nodes -----------------------------------------------------------------

  guess(node) {
    if (quiz.kind !== "pruning" || quiz.checked) return;
    const wanted = !quiz.guesses.has(node.number);
    for (const number of below(node)) {
      if (wanted) quiz.guesses.add(number);
      else quiz.guesses.delete(number);
    }
    quiz.learn.draw();
    id("tree-words").textContent = `${counted(quiz.guesses.size, "node")} selected`;
  },

  check() {
    const right = pruned(quiz.lesson);
    const found = [...quiz.guesses].filter((number) => right.has(number)).length;
    quiz.checked = true;
    quiz.learn.draw();
    const wrong = quiz.guesses.size - found;
    const { total, steps } = quiz.lesson;
    id("tree-words").textContent = found === right.size && !wrong
      ? `All right: ${right.size} of ${total} nodes are never visited.`
      : `${found} of the ${right.size} pruned nodes found, ${wrong} wrong.`;
    const cuts = steps.map(({ why }) => why.split(" cannot matter.")).filter(({ length }) => length > 1)
      .map(([why]) => why);
    id("tree-why").replaceChildren(element("span", {}, cuts.length
      ? cuts.map((why) => `${why.slice(why.lastIndexOf(". ") + 1).trim()} cannot matter.`).join(" ")
      : "Nothing is pruned: in this order no bound is proved early enough."));
  },

  // ---- values and windows, one question after another -------------------------------

  ask() {
    const { lesson, kind, questions, asked } = quiz, windows = kind === "windows";
    quiz.learn.draw();
    if (kind === "pruning") return;
    if (asked === questions.length) {
      id("answer").hidden = true;
      id("tree-words").textContent = `${quiz.right} of ${asked} right.`;
      return;
    }
    const node = nodeOf(questions[asked]), mover = lesson.colours[node.max ? 0 : 1];
    id("question").textContent = `${asked + 1} of ${questions.length}: ` + (windows
      ? `what is the window of ${named(node)}?`
      : `what is ${named(node)} worth, with ${mover} to move?`);
    id("answer-name").textContent = windows ? "alpha" : "value";
    id("answer-beta").hidden = !windows;
    id("answer-low").value = id("answer-high").value = "";
    id("answer-low").placeholder = windows ? "-inf" : "";
    id("answer-high").placeholder = "inf";
    id("answer-low").focus();
  },

  answer() {
    const { kind, lesson, questions, asked } = quiz;
    if (asked === questions.length || kind === "values" && !id("answer-low").value.trim()) return;
    const node = nodeOf(questions[asked]);
    const [said, truth, why] = kind === "values"
      ? [[id("answer-low").value], [lesson.truth[node.number]], reasonOf(node)]
      : [[id("answer-low").value, id("answer-high").value],
        node.window.slice(1, -1).split(", "), questions[asked].why];
    const right = truth.every((text, number) => normal(text) === normal(said[number]));
    quiz.states.set(node.number, right ? "right" : "wrong");
    quiz.right += right;
    quiz.asked += 1;
    const answer = kind === "values" ? truth[0] : node.window;
    quiz.shown.set(node.number, answer);
    const before = `${right ? "Right" : "Wrong"}: ${named(node)} has ${answer}.`;
    quiz.ask();
    id("tree-words").textContent = before + (quiz.asked === questions.length
      ? ` ${quiz.right} of ${quiz.asked} right.` : "");
    id("tree-why").textContent = why;
  },

  // ---- drawing ----------------------------------------------------------------------

  /** drawLesson: see learn.js. */
  draw(drawLesson) {
    const { lesson, kind, shown } = quiz, step = quiz.questions[quiz.asked];
    const before = step ? lesson.steps[lesson.steps.indexOf(step) - 1] : lesson.steps.at(-1);
    drawLesson(id("tree-picture"), lesson, {
      states: lesson.nodes.map(({ number }) => stateOf(number)),
      values: kind === "values" ? Object.fromEntries(shown)
        : kind === "windows" ? before?.values : {},
      windows: kind === "windows" ? shown : new Map(),
    }, attributesOf);
  },
};

/** Return the questions about values: inner nodes, bottom to top. */
function valueQuestions({ nodes }) {
  const inner = nodes.filter(({ leaf }) => !leaf).map(({ number }) => number).reverse();
  return inner.length > MAX_QUESTIONS ? inner.slice(-MAX_QUESTIONS) : inner;
}

/** Return the questions about windows: visits, if possible only those with a bound. */
function windowQuestions({ nodes, steps }) {
  const visits = steps.filter(({ node }) => node);
  const bounded = visits.filter(({ node }) => nodes[node].window !== "(−∞, ∞)");
  const chosen = bounded.length ? bounded : visits;
  const apart = Math.max(1, Math.ceil(chosen.length / MAX_QUESTIONS));
  return chosen.filter((step, number) => number % apart === 0);
}

/** Return the node that a question is about. */
const nodeOf = (question) => quiz.lesson.nodes[quiz.kind === "values" ? question : question.node];

const named = (node) => `${node.leaf ? "leaf" : "node"} ${node.label || node.number}`;

/** Return the explanation of a node's value. */
function reasonOf(node) {
  const { lesson } = quiz, mover = lesson.colours[node.max ? 0 : 1];
  const values = node.children.map((child) => lesson.truth[child]);
  return `${mover} takes the ${node.max ? "greatest" : "least"} of ${values.join(", ")}.`;
}

/** Return the numbers of all nodes that a search never visits. */
function pruned({ nodes, steps }) {
  const { states } = steps.at(-1);
  return new Set([...nodes.keys()].filter((number) => states[number] === "gone"));
}

/** Return the numbers of a node and of all nodes below it. */
function below(node) {
  return [node.number, ...node.children.flatMap((child) => below(quiz.lesson.nodes[child]))];
}

function stateOf(number) {
  if (quiz.kind !== "pruning") {
    const question = quiz.questions[quiz.asked];
    if (question !== undefined && nodeOf(question).number === number) return "current";
    return quiz.states.get(number) ?? "seen";
  }
  const guessed = quiz.guesses.has(number);
  if (!quiz.checked) return guessed ? "guessed" : "seen";
  const right = pruned(quiz.lesson).has(number);
  return guessed ? (right ? "right" : "wrong") : right ? "missed" : "seen";
}

/** Return the attributes that make a node a checkbox: is it pruned? */
function attributesOf(node) {
  if (quiz.kind !== "pruning") return {};
  const { number } = node;
  const press = (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    quiz.guess(node);
    id("tree-picture").querySelector(`[data-node="${number}"]`).focus();
  };
  return {
    tabindex: 0,
    role: "checkbox",
    "aria-checked": String(quiz.guesses.has(number)),
    "aria-label": node.leaf ? `leaf ${node.value}` : named(node),
    onclick: () => quiz.guess(node),
    onkeydown: press,
  };
}
