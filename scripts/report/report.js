"use strict";
// Steps through the games of a report.  All that it shows stands in the page as JSON; nothing is
// fetched.
const SVG = "http://www.w3.org/2000/svg";
const PLAYED = "#d97706";
const BETTER = "#1c72c4";
const data = JSON.parse(document.getElementById("data").textContent);
let flipped = false;
let here = { game: 0, ply: 0, step: 0 }; // step: into the better line, 0 on the game's own way

const section = () => document.querySelectorAll("section.game")[here.game];
const game = () => data.games[here.game];
const find = (selector) => section().querySelector(selector);

function put(name, parent, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

// The position that is shown, and the move that led to it.
function shown() {
  const { ply, step } = here;
  if (step) return game().plies[ply - 1].better[step - 1];
  return ply ? game().plies[ply - 1] : game().start;
}

function drawBoard(found) {
  const place = find(".board");
  if (game().board === null) {
    const text = document.createElement("pre");
    text.textContent = found.text;
    place.replaceChildren(text);
    return;
  }
  const board = data.boards[game().board];
  if (board.image) {
    if (!place.firstChild)
      place.append(Object.assign(new Image(), { src: board.image, alt: "the tree" }));
    return;
  }
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${board.width} ${board.height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `the board, ${found.turn}`);
  const view = board.views[flipped ? 1 : 0];
  put("g", svg, {}).innerHTML = view.ground;
  const middle = (column, row) => {
    const across = flipped ? -column : column;
    const up = board.rank_one_on_top !== flipped ? row : -row;
    return [view.corner[0] + (across + 0.5) * board.cell, view.corner[1] + (up + 0.5) * board.cell];
  };
  const half = board.cell / 2;
  for (const cell of found.cells || []) {
    const [x, y] = middle(...cell);
    put("rect", svg, {
      x: x - half,
      y: y - half,
      width: board.cell,
      height: board.cell,
      class: "last",
      fill: here.step ? BETTER : PLAYED,
      "fill-opacity": 0.5,
    });
  }
  for (const [column, row, piece] of found.pieces) {
    const [x, y] = middle(column, row);
    const place = put("g", svg, { class: "piece", transform: `translate(${x} ${y})` });
    if (board.pieces[piece]) place.innerHTML = board.pieces[piece];
    else
      put("text", place, { "text-anchor": "middle", dy: "0.35em", "font-size": half }).textContent =
        piece;
  }
  place.replaceChildren(svg);
}

function drawCursor() {
  const graph = find(".graph");
  let cursor = graph.querySelector(".cursor");
  if (!cursor) cursor = put("line", graph, { class: "cursor" });
  const { left, right, top, bottom } = graph.dataset;
  const x = Number(left) + ((right - left) * here.ply) / game().plies.length;
  for (const [key, value] of Object.entries({ x1: x, x2: x, y1: top, y2: bottom }))
    cursor.setAttribute(key, value);
}

function word(parent, name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made, " ");
  return made;
}

// What is said about the move, and the better line, each of its moves a button.
function drawNote(found) {
  const note = find(".note");
  const move = here.ply ? game().plies[here.ply - 1] : null;
  note.replaceChildren();
  if (!move) return word(note, "p", `The start. ${game().start.score}`);
  const line = word(note, "p", "");
  word(line, "strong", move.move, move.mark);
  if (move.mark) word(line, "b", move.mark, move.mark);
  word(line, "span", move.before === move.score ? move.score : `${move.before} → ${move.score}`);
  if (move.remark) word(note, "p", move.remark, "remark");
  if (!move.better.length) return;
  const better = word(note, "p", "Better: ");
  move.better.forEach((step, index) => {
    const button = word(better, "button", step.move, "step");
    if (here.step === index + 1) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => go({ step: index + 1 }));
  });
  if (here.step) word(better, "small", "(Esc or ↑: back to the game)");
}

function show() {
  document.querySelectorAll("section.game").forEach((part, index) => {
    part.hidden = index !== here.game;
  });
  const found = shown();
  drawBoard(found);
  drawCursor();
  drawNote(found);
  find(".turn").textContent = found.turn;
  for (const button of section().querySelectorAll(".move")) {
    const current = Number(button.dataset.ply) === here.ply;
    button.toggleAttribute("aria-current", current);
    if (current) {
      const list = button.closest(".moves");
      if (
        button.offsetTop < list.scrollTop
        || button.offsetTop + button.offsetHeight > list.scrollTop + list.clientHeight
      )
        list.scrollTop = button.offsetTop - list.clientHeight / 2;
    }
  }
  const index = document.querySelector("nav select");
  if (index) index.value = here.game;
  history.replaceState(
    null,
    "",
    `#${here.game + 1}.${here.ply}${here.step ? "." + here.step : ""}`,
  );
}

function go(change) {
  const wanted = { ...here, step: 0, ...change };
  wanted.game = Math.max(0, Math.min(data.games.length - 1, wanted.game));
  wanted.ply = Math.max(0, Math.min(data.games[wanted.game].plies.length, wanted.ply));
  const line = wanted.ply ? data.games[wanted.game].plies[wanted.ply - 1].better : [];
  wanted.step = Math.max(0, Math.min(line.length, wanted.step));
  here = wanted;
  show();
}

// The next marked move in a direction.
function seek(way) {
  const plies = game().plies;
  for (let ply = here.ply + way; ply > 0 && ply <= plies.length; ply += way)
    if (plies[ply - 1].mark) return go({ ply });
}

const ACTIONS = {
  first: () => go({ ply: 0 }),
  back: () => (here.step ? go({ step: here.step - 1 }) : go({ ply: here.ply - 1 })),
  forward: () => (here.step ? go({ step: here.step + 1 }) : go({ ply: here.ply + 1 })),
  last: () => go({ ply: game().plies.length }),
  better: () => go({ step: here.step + 1 }),
  leave: () => go({}),
  flip: () => {
    flipped = !flipped;
    show();
  },
  next: () => seek(1),
  previous: () => seek(-1),
};
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowDown: "better",
  ArrowUp: "leave",
  Escape: "leave",
  Home: "first",
  End: "last",
  f: "flip",
  n: "next",
  p: "previous",
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  ACTIONS[action]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], .move");
  if (button && button.dataset.do) return ACTIONS[button.dataset.do]();
  if (button) return go({ ply: Number(button.dataset.ply) });
  const graph = event.target.closest(".graph");
  if (!graph) return;
  const box = graph.getBoundingClientRect();
  const { left, right } = graph.dataset;
  const x = ((event.clientX - box.left) / box.width) * graph.viewBox.baseVal.width;
  go({ ply: Math.round(((x - left) / (right - left)) * game().plies.length) });
});

const index = document.querySelector("nav select");
if (index)
  index.addEventListener("change", () => {
    go({ game: Number(index.value), ply: 0 });
    index.blur();
  });
const asked = /^#(\d+)\.(\d+)(?:\.(\d+))?$/.exec(location.hash);
go(asked ? { game: asked[1] - 1, ply: Number(asked[2]), step: Number(asked[3] || 0) } : {});
