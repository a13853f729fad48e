// Learn: searches of a tree, event by event, alone or side by side; for a projector, too.

import { app, guarded } from "./app.js";
import { ask, download, element, id, options, parsed } from "./dom.js";
import { factsOf, linkWords } from "./game.js";
import { Grid } from "./grid.js";
import { quiz } from "./quiz.js";
import { remember } from "./store.js";
import { call } from "./transport.js";

const MAX_LEAVES = 300; // estimate for depth 2, since the server draws at most 400 nodes (view.py)
const NAMES = { alphabeta: "Alpha-beta", minimax: "Minimax" };
const SMALLEST = 0.75; // smallest legible scale on a screen; wider trees scroll
const PROJECTED = 24 / 13; // smallest scale for a projector of 1080 lines: text of 24 pixels

export const learn = {
  lessons: [], // one per search on screen, as lesson.py returns them, with looks (see allLooks)
  at: 0, // the current step of the longest one
  timer: null,
  messages: "tree-error", // the box of messages: see say()
  title: "", // says which tree was requested last, for worksheets

  get keys() {
    const always = { f: () => learn.project(), z: () => learn.fit(),
      n: () => learn.nextLesson(1), p: () => learn.nextLesson(-1) };
    return !learn.lesson || quiz.on ? always : {
      ...always,
      ArrowLeft: () => learn.by(-1), ArrowRight: () => learn.by(1),
      PageUp: () => learn.by(-1), PageDown: () => learn.by(1), // a presenter's remote control
      ...Object.fromEntries([...id("pictures").children].map((button, number) =>
        [number + 1, () => id("course").hidden || button.click()])),
      Home: () => learn.by(-Infinity), End: () => learn.by(Infinity),
      " ": () => learn.play(),
    };
  },

  async shown() {
    learn.limitDepth();
    if (!learn.lesson) await learn.load({ tree: id("tree").value });
  },

  left: () => learn.pause(),
  arrived: () => learn.limitDepth(),

  /** Until the user types a depth, use one whose tree is small enough to draw. */
  limitDepth() {
    const { moves } = app.game?.current.view ?? { moves: [] };
    id("plies").defaultValue = moves.length ** 2 < MAX_LEAVES ? 2 : 1;
  },

  /** Return the body of a lesson about the game on the board. */
  boardBody() {
    return { ...app.game.body(), depth: Number(id("plies").value), boards: id("boards").checked };
  },

  /** Search a newly chosen game, or the tree in the field if the game is a tree. */
  async takeBoard() {
    await learn.load(app.game.facts.textbook ? { tree: id("tree").value } : learn.boardBody());
  },

  /** Return the words of a link to what is shown: the lesson or the tree, the search and the step. */
  link() {
    const { body, title } = learn, chosen = id("pictures").querySelector("[aria-pressed=true]");
    if (!body) throw new Error("There is no tree to link to yet");
    const course = !id("course").hidden && chosen;
    const words = course ? { lesson: title, picture: chosen.textContent.split(":")[0] }
      : body.tree === undefined ? { ...linkWords(body), depth: body.depth, ...(body.boards && { boards: 1 }) }
        : { tree: body.tree, ...(title && { title }) };
    return { ...words, ...(!course && { search: id("algorithm").value }), ...(learn.at && { step: learn.at }) };
  },

  /** Show what a link names.  words: a URLSearchParams.  body: that of the game, if it names one. */
  async follow(words, body) {
    const search = words.get("search"), known = [...id("algorithm").options].map(({ value }) => value);
    if (search !== null && !known.includes(search)) throw new Error(`there is no search "${search}"`);
    const course = words.has("lesson") && app.facts.lessons.find(([name]) => name === words.get("lesson"));
    if (course === undefined) throw new Error(`there is no lesson "${words.get("lesson")}"`);
    if (search) id("algorithm").value = search;
    if (words.has("tree")) id("tree").value = words.get("tree");
    const [, , pictures] = course || [], number = Number(words.get("picture") ?? 1) - 1;
    if (course && !pictures[number]) throw new Error(`this lesson has ${pictures.length} pictures`);
    await (course ? openLesson(course, number)
      : learn.load(body ? { ...body, depth: Number(words.get("depth")), boards: words.has("boards") }
        : { tree: words.get("tree") }, words.get("title") ?? ""));
    if (words.has("step") && learn.lesson) learn.go(Number(words.get("step")) || 0);
  },

  /** Return the search that the explanations and the quiz are about. */
  get lesson() {
    return learn.lessons[0];
  },

  /** Return the search that the timeline follows: of two, the one that visits every node. */
  get longest() {
    return learn.lessons.at(-1);
  },

  /** Is a step a whole visit?  Yes if the user chose so, or if two searches run side by side. */
  get byVisits() {
    return id("pace").value === "visits" || learn.lessons.length > 1;
  },

  // ---- the search -------------------------------------------------------------------

  /** Search the tree of a body.  title: names the tree.  picture: is it a picture of a lesson? */
  async load(body, title = "", picture = false) {
    learn.pause();
    if (quiz.on) quiz.end();
    const asked = { ...body };
    Object.assign(learn, { body: asked, title });
    const chosen = body.algorithm ?? id("algorithm").value;
    const algorithms = chosen === "both" ? ["alphabeta", "minimax"] : [chosen];
    id("tree-error").textContent = "";
    if (!picture) id("course").hidden = true;
    try {
      const found = algorithms.map(async (algorithm) => {
        const lesson = await call("lesson", { moves: [], ...body, algorithm });
        return { ...lesson, title, algorithm, looks: allLooks(lesson.steps) };
      });
      const [lessons] = await Promise.all([Promise.all(found), learn.showPosition(asked)]);
      if (learn.body !== asked) return; // another search was requested meanwhile
      learn.lessons = lessons;
      const [named] = app.facts.examples.find(([, tree]) => tree === asked.tree) ?? [title];
      id("example").value = named; // blank if no example is shown
      id("other").hidden = lessons.length < 2;
      [id("first-name").textContent, id("second-name").textContent] = learn.lesson.players;
      learn.reserve();
      quiz.end();
    } catch (error) {
      if (learn.body === asked) id("tree-error").textContent = error.message;
    }
  },

  /** Keep room for the longest sentence, so that the tree stays where it is. */
  reserve() {
    const why = id("tree-why"), { textContent } = why;
    const sentences = learn.lesson.steps.map((step, at) => learn.sentence(learn.lesson, at));
    why.style.minHeight = 0;
    why.textContent = sentences.reduce((a, b) => (b.length > a.length ? b : a));
    why.style.minHeight = `${why.offsetHeight}px`;
    why.textContent = textContent;
  },

  go(step) {
    const last = learn.longest.steps.length - 1;
    learn.at = Math.max(0, Math.min(last, step));
    if (learn.at === last) learn.pause();
    learn.draw();
  },

  /** Go on or back, by events or visits, and stop playing. */
  by(way) {
    learn.pause();
    learn.go(learn.next(way));
  },

  /** Return the step that comes `way` steps later. */
  next(way) {
    const { steps } = learn.longest, last = steps.length - 1;
    let at = learn.at + way;
    while (learn.byVisits && at > 0 && at < last && !isVisit(steps[at])) at += way;
    return at;
  },

  pause() {
    clearInterval(learn.timer);
    learn.timer = null;
    id("tree-play").textContent = "Play";
  },

  play() {
    if (learn.timer) {
      learn.pause();
      return;
    }
    if (!id("speed").reportValidity()) return;
    if (learn.at === learn.longest.steps.length - 1) learn.at = -1;
    id("tree-play").textContent = "Pause";
    const on = () => learn.go(learn.next(1));
    learn.timer = setInterval(on, 1000 / Number(id("speed").value));
    on();
  },

  /** Fill the screen with the sentence and the tree, or leave full screen. */
  project() {
    if (document.fullscreenElement) return document.exitFullscreen();
    return id("learn").requestFullscreen();
  },

  nextLesson(way) {
    const { lessons } = app.facts, at = lessons.findIndex(([name]) => name === learn.title);
    const next = at < 0 && way < 0 ? lessons.length - 1 : at + way;
    if (lessons[next]) guarded(openLesson)(lessons[next]);
  },

  /** Show the position that a game's tree begins with, if it has a board. */
  async showPosition({ tree, game, ...body }) {
    const wanted = tree === undefined && !factsOf(game).textbook;
    const seen = wanted ? await call("position", { ...body, game }) : null;
    id("position-shown").hidden = !seen?.rows;
    if (!seen?.rows) return;
    learn.grid ??= new Grid(id("position-shown"));
    learn.grid.show({ ...factsOf(game), ...seen, moves: [] });
  },

  /** Switch between a wide tree's legible size and the whole tree, however small. */
  fit() {
    id("fit").setAttribute("aria-pressed", id("trees").classList.toggle("fit"));
    if (learn.lesson) learn.draw();
  },

  /** Return the step of a lesson that corresponds to the timeline's step. */
  stepOf(lesson) {
    if (lesson === learn.longest) return learn.at;
    if (learn.at === learn.longest.steps.length - 1) return lesson.steps.length - 1;
    // Both visit nodes in the same order, so count the visits that they share.
    const shared = new Set(lesson.steps.filter(isVisit).map(({ node }) => node));
    const before = learn.longest.steps.slice(0, learn.at + 1).filter(isVisit);
    const visits = before.filter(({ node }) => shared.has(node)).length;
    return lesson.steps.findIndex((step) => step.visits === visits);
  },

  /** Return the sentence of a step; if steps are visits, all sentences since the last visit. */
  sentence({ steps }, at) {
    if (!learn.byVisits) return steps[at].words;
    let first = at;
    while (first > 0 && !isVisit(steps[first - 1])) first -= 1;
    return steps.slice(first, at + 1).map(({ words }) => words).join(" ");
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
      const at = learn.stepOf(lesson), [picture, count] = pictures[number];
      const { owners, node } = lesson.steps[at];
      drawLesson(id(picture), lesson, lesson.looks[at].map(([state, ...rest], each) =>
        [owners.includes(each) ? `${state} owner` : state, ...rest]), node);
      id(count).textContent = learn.counts(lesson, at);
    });
    const step = longest.steps[learn.at], own = learn.stepOf(learn.lesson);
    const { steps } = learn.lesson, { visits } = steps.at(-1);
    id("tree-words").textContent = own === steps.length - 1 ? "The end"
      : `visit ${steps[own].visits} of ${visits}`;
    id("tree-why").textContent = step.node === steps[own].node ? learn.sentence(learn.lesson, own)
      : `Minimax visits ${longest.nodes[step.node].name}, which alpha-beta pruned.`;
  },

  /** Return the title and the numbers of nodes at a step of a lesson. */
  counts({ title, algorithm, nodes, looks }, at) {
    const total = nodes.length, with_ = (...states) =>
      looks[at].filter(([state]) => states.includes(state)).length;
    const saved = with_("pruned"), share = saved ? ` (${Math.round((100 * saved) / total)} % saved)` : "";
    const name = learn.lessons.length > 1 ? `${NAMES[algorithm]}: ` : title && `${title}: `;
    return `${name}${total - saved - with_("unseen")} of ${total} nodes visited, ${saved} pruned${share}`;
  },

  // ---- setup ------------------------------------------------------------------------

  start() {
    const { examples, lessons } = app.facts;
    const group = (label, named) =>
      element("optgroup", { label }, ...options(named.map(([name]) => [name, name])));
    id("example").replaceChildren(group("Trees", examples), group("Lessons of search", lessons));
    id("tree").value = examples[0][1];
    setUp();
    quiz.start(learn);
    app.leaving.push((other) => other && quiz.on && quiz.end());
    addEventListener("pagehide", () => {
      const words = learn.body ? learn.link() : {};
      remember("lesson", words.game ? "" : new URLSearchParams(words)); // the game itself is saved
    });
  },
};

/** Does a step enter a node, or end the search? */
const isVisit = ({ kind }) => ["enter", "leaf", "end"].includes(kind);

/** Return the looks of all nodes after each step: a step has only the changes. */
function allLooks(steps) {
  let looks = [];
  return steps.map(({ changes }) => {
    looks = Object.assign([...looks], changes);
    return looks;
  });
}

/** Draw a lesson's tree into a box.  looks: see paint().  current: the node to keep in sight. */
function drawLesson(box, lesson, looks, current) {
  if (box.lesson !== lesson) {
    const picture = parsed(lesson.picture), { width, height } = picture.viewBox.baseVal;
    box.lesson = lesson;
    picture.style.setProperty("--legible", `${SMALLEST * width}px`);
    picture.style.setProperty("--projected", `${(PROJECTED * width) / 10.8}vh`);
    picture.style.setProperty("--tall", `${(PROJECTED * height) / 10.8}vh`);
    for (const edge of picture.querySelectorAll("[data-edge]")) { // easier to hit than the line alone
      edge.prepend(edge.firstElementChild.cloneNode());
      edge.firstElementChild.setAttribute("class", "hit");
    }
    box.replaceChildren(picture);
  }
  const [picture] = box.children;
  paint(picture, looks);
  showNode(nodesOf(picture)[current], box);
}

/** Return a picture's nodes in the order of their numbers. */
const nodesOf = (picture) => [...picture.querySelectorAll("[data-node]")];

/** Show a moment of a search in a picture.  looks: for each node [state, value, window, cut]. */
function paint(picture, looks) {
  nodesOf(picture).forEach((node, number) => {
    const [state, value, window] = looks[number];
    node.setAttribute("class", [...node.classList].slice(0, 2).join(" ") + ` ${state}`);
    node.querySelector(".value").textContent = value;
    node.querySelector(".window").textContent = window;
  });
  for (const edge of picture.querySelectorAll("[data-edge]")) {
    const [state, , , cut] = looks[edge.dataset.edge];
    edge.setAttribute("class", `edge ${state}${cut ? " cut" : ""}`);
  }
}

/** Scroll a box, but not the page, until a node is in its middle. */
function showNode(node, box) {
  if (!node) return;
  const [inner, outer] = [node, box].map((each) => each.getBoundingClientRect());
  box.scrollLeft += inner.x + inner.width / 2 - (outer.x + outer.width / 2);
  box.scrollTop += inner.y + inner.height / 2 - (outer.y + outer.height / 2);
}

/** Draw the random tree of the seed in its field. */
async function random() {
  const [seed, children, plies] = ["seed", "children", "random-plies"].map(id);
  if (![seed, children, plies].every((field) => field.reportValidity())) return;
  const wanted = { seed: Number(seed.value), children: Number(children.value), plies: Number(plies.value) };
  const asked = learn.body = { ...learn.body };
  const { tree } = await call("random_tree", wanted);
  if (learn.body !== asked) return; // another search was requested meanwhile
  id("tree").value = tree;
  await learn.load({ tree }, `Random tree ${wanted.seed}`);
}

/** Show a lesson of search: what to see, and a button for each of its pictures. */
function openLesson([name, text, pictures], first = 0) {
  const show = guarded((number) => {
    const body = { algorithm: "alphabeta", ...pictures[number][1] };
    id("algorithm").value = body.algorithm;
    [...id("pictures").children].forEach((button, each) =>
      button.setAttribute("aria-pressed", each === number));
    return learn.load(body, name, true);
  });
  id("course").hidden = false;
  id("course-text").textContent = text;
  id("pictures").replaceChildren(...pictures.map(([caption], number) =>
    element("button", { onclick: () => show(number), "aria-pressed": false }, `${number + 1}: ${caption}`)));
  return show(first);
}

function setUp() {
  const on = (name, event, work) => id(name).addEventListener(event, guarded(work));
  on("example", "change", () => {
    const name = id("example").value, named = ([each]) => each === name;
    const chosen = app.facts.lessons.find(named);
    if (chosen) return openLesson(chosen);
    [, id("tree").value] = app.facts.examples.find(named);
    return learn.load({ tree: id("tree").value }, name);
  });
  on("tree-form", "submit", () => learn.load({ tree: id("tree").value }));
  on("random", "click", () => {
    id("seed").stepUp();
    return random();
  });
  for (const name of ["seed", "children", "random-plies"]) on(name, "change", random);
  on("from-board", "click", () => learn.load(learn.boardBody()));
  on("boards", "change", () => learn.body.tree === undefined
    && learn.load({ ...learn.body, boards: id("boards").checked }));
  on("algorithm", "change", () => learn.load({ ...learn.body, algorithm: undefined }, learn.title));
  on("worksheet", "click", async () => {
    const title = learn.title || "Minimax and alpha-beta";
    const { text, warning } = await call("worksheet", { ...learn.body, title });
    const choices = ["Save it", "Cancel"].map((label) => ({ label, value: label }));
    if (!warning || await ask(warning, choices) === "Save it") download(text, "worksheet.html", "text/html");
  });
  on("windows", "change", () => id("trees").classList.toggle("windowless", !id("windows").checked));
  on("pace", "change", () => learn.lesson && (learn.reserve(), learn.draw()));
  document.addEventListener("fullscreenchange", () => learn.lesson && (learn.reserve(), learn.draw()));
  on("tree-where", "input", () => learn.go(Number(id("tree-where").value)));
}
