// The quizzes of the tab Learn: pruned nodes, values of nodes, windows of nodes.

import { counted, id } from "./dom.js";

const MAX_QUESTIONS = 10;

/** Return an answer in normal form: an infinite bound, as users type it or lessons write it, is "open". */
const normal = (text) => text.trim().toUpperCase().replace("−", "-").replace(/^\+/, "")
  .replace(/^(-?(INF|∞))?$/, "open");
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
  questions: [], // {node, ask, truth: the right answers, why, before: the looks before the visit}
  ...fresh(),

  start(learn) {
    quiz.learn = learn;
    id("quiz").addEventListener("click", () => (quiz.on ? quiz.end() : quiz.begin()));
    id("quiz-kind").addEventListener("change", () => quiz.on && quiz.begin());
    id("check").addEventListener("click", () => quiz.check());
    id("answer").addEventListener("submit", quiz.answer);
    id("tree-picture").addEventListener("click", quiz.guess);
    id("tree-picture").addEventListener("keydown", (event) => {
      if (event.key !== " " || !quiz.on) return;
      event.preventDefault();
      quiz.guess(event);
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
    id("tree-picture").lesson = null; // so that it is drawn afresh, without checkboxes
  },

  // ---- pruned nodes -----------------------------------------------------------------

  /** Mark the clicked node (or that below a clicked branch) as pruned, with all below it; or unmark them. */
  guess({ target }) {
    const { node, edge } = target.closest("[data-node], [data-edge]")?.dataset ?? {};
    const number = Number(node ?? edge);
    if (!quiz.on || quiz.kind !== "pruning" || quiz.checked || isNaN(number)) return;
    const wanted = !quiz.guesses.has(number);
    for (const each of below(quiz.lesson.nodes[number])) {
      if (wanted) quiz.guesses.add(each);
      else quiz.guesses.delete(each);
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
    const { kind, questions, asked } = quiz, windows = kind === "windows";
    quiz.learn.draw();
    if (kind === "pruning") return;
    if (asked === questions.length) {
      id("answer").hidden = true;
      id("tree-words").textContent = `${quiz.right} of ${asked} right.`;
      return;
    }
    id("question").textContent = `${asked + 1} of ${questions.length}: ${questions[asked].ask}`;
    id("answer-name").textContent = windows ? "alpha" : "value";
    id("answer-beta").hidden = !windows;
    id("answer-low").value = id("answer-high").value = "";
    id("answer-low").placeholder = windows ? "-inf" : "";
    id("answer-high").placeholder = "inf";
    id("answer-low").focus();
  },

  answer() {
    const { kind, questions, asked } = quiz;
    if (asked === questions.length) return;
    const { node, truth, why } = questions[asked], low = id("answer-low").value;
    const said = kind === "values" ? [low] : [low, id("answer-high").value];
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
    const answer = kind === "values" ? node.truth : node.window;
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
    const { lesson, kind, shown } = quiz, question = quiz.questions[quiz.asked];
    const before = question?.before ?? lesson.looks.at(kind === "windows" ? -1 : 0);
    const looks = lesson.nodes.map(({ number, leaf }) => {
      const [, value] = before[number], answer = shown.get(number) ?? "";
      return [stateOf(number), kind === "values" && !leaf ? answer : value,
        kind === "windows" ? answer : ""];
    });
    const picture = id("tree-picture");
    drawLesson(picture, lesson, looks, question?.node.number);
    if (kind !== "pruning") return;
    for (const { number, name } of lesson.nodes) {
      const node = picture.querySelector(`[data-node="${number}"]`);
      Object.assign(node, { tabIndex: 0, role: "checkbox", ariaLabel: name });
      node.ariaChecked = String(quiz.guesses.has(number));
    }
  },
};

/** Return the questions about values: inner nodes, bottom to top. */
function valueQuestions({ nodes, players }) {
  return nodes.filter(({ leaf }) => !leaf).reverse().slice(-MAX_QUESTIONS).map((node) => {
    const mover = players[node.max ? 0 : 1], values = node.children.map((child) => nodes[child].truth);
    return { node, truth: [node.truth], ask: `what is ${node.name} worth, with ${mover} to move?`,
      why: `${mover} takes the ${node.max ? "greatest" : "least"} of ${values.join(", ")}.` };
  });
}

/** Return the questions about windows: inner nodes visited, if possible only those with a bound. */
function windowQuestions({ nodes, steps, looks }) {
  const visits = steps.map((step, at) => ({ ...step, node: nodes[step.node], before: looks[at - 1] }))
    .filter(({ kind, node }) => kind === "enter" && node.number);
  const bounded = visits.filter(({ node }) => node.window !== "(−∞, ∞)");
  const chosen = bounded.length ? bounded : visits;
  const apart = Math.max(1, Math.ceil(chosen.length / MAX_QUESTIONS));
  return chosen.filter((step, number) => number % apart === 0).map(({ node, before, words }) => (
    { node, before, truth: node.window.slice(1, -1).split(", "), why: words,
      ask: `what is the window of ${node.name}?` }));
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
    if (quiz.questions[quiz.asked]?.node.number === number) return "current";
    return quiz.states.get(number) ?? "visited";
  }
  const guessed = quiz.guesses.has(number);
  if (!quiz.checked) return guessed ? "guessed" : "visited";
  const right = pruned(quiz.lesson).has(number);
  return guessed ? (right ? "right" : "wrong") : right ? "missed" : "visited";
}
