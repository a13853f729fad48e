// The quizzes of the tab Learn: pruned nodes, values of nodes, windows of nodes.

import { counted, id } from "./dom.js";

const MAX_QUESTIONS = 10;

// Spellings of an infinite bound of a window, as users may type it and as a lesson writes it.
const OPEN = { "": true, "-inf": true, inf: true, "+inf": true, "−∞": true, "-∞": true, "∞": true };
const normal = (text) => {
  const typed = text.trim().toLowerCase().replace("−", "-").replace(/^\+/, "");
  return OPEN[typed] ? "open" : typed.toUpperCase();
};
const isAnswer = (text) => /^(-?\d+|W|L|open)$/.test(normal(text));

const fresh = () => ({
  kind: id("quiz-kind").value,
  guesses: new Set(), // numbers of the nodes that the user marked as pruned
  checked: false,
  asked: 0,
  right: 0,
  states: new Map(), // number of a node -> "right" or "wrong"
  shown: new Map(), // number of a node -> its value or window, once answered
});

export const quiz = {
  on: false,
  learn: null,
  questions: [], // numbers of nodes (values) or steps (windows)
  ...fresh(),

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
    Object.assign(quiz, { on: true, ...fresh() });
    const searched = learn.lessons.find(({ algorithm }) => algorithm === "alphabeta");
    const fits = quiz.kind === "values" ? learn.lesson.nodes[0].truth : searched;
    if (!fits) {
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
    id("tree-count").textContent = learn.lesson.title;
    id("other-count").textContent = "";
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
    const { nodes, steps } = quiz.lesson;
    id("tree-words").textContent = found === right.size && !wrong
      ? `All right: ${right.size} of ${nodes.length} nodes are never visited.`
      : `${found} of the ${right.size} pruned nodes found, ${wrong} wrong.`;
    const cuts = steps.filter(({ kind }) => kind === "cut").map(({ words }) => words);
    id("tree-why").textContent = cuts.join(" ")
      || "Nothing is pruned: in this order no bound is proved early enough.";
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
    const node = nodeOf(questions[asked]), mover = lesson.players[node.max ? 0 : 1];
    id("question").textContent = `${asked + 1} of ${questions.length}: ` + (windows
      ? `what is the window of ${node.name}?`
      : `what is ${node.name} worth, with ${mover} to move?`);
    id("answer-name").textContent = windows ? "alpha" : "value";
    id("answer-beta").hidden = !windows;
    id("answer-low").value = id("answer-high").value = "";
    id("answer-low").placeholder = windows ? "-inf" : "";
    id("answer-high").placeholder = "inf";
    id("answer-low").focus();
  },

  answer() {
    const { kind, lesson, questions, asked } = quiz;
    if (asked === questions.length) return;
    const node = nodeOf(questions[asked]), low = id("answer-low").value;
    const [said, truth, why] = kind === "values"
      ? [[low], [node.truth], reasonOf(node)]
      : [[low, id("answer-high").value],
        node.window.slice(1, -1).split(", "), questions[asked].words];
    if (!said.every(isAnswer) || kind === "values" && normal(low) === "open") {
      id("tree-words").textContent = kind === "values" ? "Answer with a number, W or L."
        : "Answer with two bounds: a number, W, L, -inf or inf.";
      id("answer-low").select();
      return;
    }
    const right = truth.every((text, number) => normal(text) === normal(said[number]));
    quiz.states.set(node.number, right ? "right" : "wrong");
    quiz.right += right;
    quiz.asked += 1;
    const answer = kind === "values" ? truth[0] : node.window;
    quiz.shown.set(node.number, answer);
    const before = `${right ? "Right" : "Wrong"}: ${node.name} has ${answer}.`;
    quiz.ask();
    id("tree-words").textContent = before + (quiz.asked === questions.length
      ? ` ${quiz.right} of ${quiz.asked} right.` : "");
    id("tree-why").textContent = why;
  },

  // ---- drawing ----------------------------------------------------------------------

  /** Draw the lesson with the quiz's marks.  drawLesson: see learn.js. */
  draw(drawLesson) {
    const { lesson, kind, shown } = quiz, step = quiz.questions[quiz.asked];
    const before = lesson.looks[step ? lesson.steps.indexOf(step) - 1 : lesson.looks.length - 1];
    const looks = lesson.nodes.map(({ number, leaf }) => {
      const [, value] = (kind === "windows" ? before : lesson.looks[0])[number];
      return [stateOf(number), kind === "values" && !leaf ? shown.get(number) ?? "" : value,
        kind === "windows" ? shown.get(number) ?? "" : ""];
    });
    drawLesson(id("tree-picture"), lesson, looks,
      step === undefined ? null : nodeOf(step).number, attributesOf);
  },
};

/** Return the questions about values: inner nodes, bottom to top. */
function valueQuestions({ nodes }) {
  const inner = nodes.filter(({ leaf }) => !leaf).map(({ number }) => number).reverse();
  return inner.length > MAX_QUESTIONS ? inner.slice(-MAX_QUESTIONS) : inner;
}

/** Return the questions about windows: inner nodes visited, if possible only those with a bound. */
function windowQuestions({ nodes, steps }) {
  const visits = steps.filter(({ kind, node }) => kind === "enter" && node);
  const bounded = visits.filter(({ node }) => nodes[node].window !== "(−∞, ∞)");
  const chosen = bounded.length ? bounded : visits;
  const apart = Math.max(1, Math.ceil(chosen.length / MAX_QUESTIONS));
  return chosen.filter((step, number) => number % apart === 0);
}

/** Return the node that a question is about. */
const nodeOf = (question) => quiz.lesson.nodes[quiz.kind === "values" ? question : question.node];

/** Return the explanation of a node's value. */
function reasonOf(node) {
  const { lesson } = quiz, mover = lesson.players[node.max ? 0 : 1];
  const values = node.children.map((child) => lesson.nodes[child].truth);
  return `${mover} takes the ${node.max ? "greatest" : "least"} of ${values.join(", ")}.`;
}

/** Return the numbers of all nodes that a search never visits. */
function pruned({ nodes, looks }) {
  return new Set([...nodes.keys()].filter((number) => looks.at(-1)[number][0] === "pruned"));
}

/** Return the numbers of a node and of all nodes below it. */
function below(node) {
  return [node.number, ...node.children.flatMap((child) => below(quiz.lesson.nodes[child]))];
}

function stateOf(number) {
  if (quiz.kind !== "pruning") {
    const question = quiz.questions[quiz.asked];
    if (question !== undefined && nodeOf(question).number === number) return "current";
    return quiz.states.get(number) ?? "visited";
  }
  const guessed = quiz.guesses.has(number);
  if (!quiz.checked) return guessed ? "guessed" : "visited";
  const right = pruned(quiz.lesson).has(number);
  return guessed ? (right ? "right" : "wrong") : right ? "missed" : "visited";
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
    "aria-label": node.name,
    onclick: () => quiz.guess(node),
    onkeydown: press,
  };
}
