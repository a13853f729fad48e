// What all tabs share: the game on the board, the list of its moves, and how one steps through it.

import { Board } from "./board.js";
import { element, id } from "./dom.js";
import { playersPiece } from "./pieces.js";
import { call, connection } from "./server.js";

const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy", "!": "good" };

export const app = {
  facts: null,          // what the server said of its games and engines
  game: null,
  flipped: false,
  tab: null,            // the tab that is shown: see main.js
  show: null,           // show(name): show another one
  arrows: [],
  asked: 0,             // how often one wanted to go somewhere
  board: new Board(id("board"), (move) => choose(move)),

  /**
   * Go to a node, of another game where one is named, and hang it into the tree, as its main line
   * if it is to be the first.  ready(): called before it is shown.  Where it can't be loaded all
   * stays as it was, and where something else was asked for meanwhile this is false.
   */
  async go(node, { game = app.game, first = false, ready } = {}) {
    const number = app.asked += 1;
    await game.load(node);
    if (number !== app.asked) return false;
    ready?.();
    game.keep(node, first);
    game.current = node;
    app.game = game;
    app.arrows = [];
    id("game").value = node.view.name;
    app.refresh();
    return true;
  },

  /** Draw all that belongs to the current node, and let the tab go on from it. */
  refresh() {
    app.draw();
    app.tab.arrived?.();
  },

  draw() {
    const { game } = app, view = game.current.view;
    app.board.show(view, { flipped: app.flipped, playable: app.tab.mayMove(), arrows: app.arrows });
    drawPlayers(view);
    app.drawMoves();
    drawChoices(view);
    const over = game.over;
    const state = over ? "over" : app.tab.mayMove() ? "yours" : "theirs";
    Object.assign(document.body.dataset, { state, ply: game.current.path.length });
    const turn = `${view.colours[view.side]} to move${view.check ? ": check" : ""}`;
    if (connection.lost) say(connection.lost, true);
    else say(over ? over.reason : app.tab.status?.() ?? turn);
  },

  /** The list of moves, with marks and comments. */
  drawMoves() {
    drawMoves();
  },

  /** Show arrows over the board: [{move, kind}]. */
  point(arrows) {
    app.arrows = arrows;
    const seen = { flipped: app.flipped, playable: app.tab.mayMove(), arrows };
    app.board.show(app.game.current.view, seen);
  },

  step(number) {
    const { game } = app, line = [game.root, ...game.line()];
    const at = line.indexOf(game.current) + number;
    const target = line[Math.max(0, Math.min(line.length - 1, at))];
    if (target !== game.current) app.tab.step(target);
  },
};

/** Tell something below the board. */
export function say(text, wrong = false) {
  id("status").textContent = text;
  id("status").classList.toggle("error", wrong);
}

/** Carry out something that may fail, and tell what went wrong. */
export const guarded = (work) => async (...words) => {
  try {
    return await work(...words);
  } catch (error) {
    say(error.message, true);
  }
};

/** A move was chosen on the page. */
const choose = guarded((move) => app.tab.move(move));

function drawPlayers(view) {
  const below = app.flipped ? 1 : 0;
  for (const [place, side] of [["player-bottom", below], ["player-top", 1 - below]]) {
    const box = id(place), [piece, name, note] = box.children;
    box.classList.toggle("moves", !app.game.over && view.side === side);
    box.dataset.side = side;
    piece.replaceChildren(playersPiece(view, side));
    name.textContent = app.tab.player?.(side) || app.game.players[side] || view.colours[side];
    note.textContent = view.count ? `${view.count[side]} discs` : "";
  }
  id("pass").hidden = !(app.tab.mayMove() && view.moves.length === 1 && view.moves[0].pass);
}

/** The legal moves as buttons, where there is no board to click on. */
function drawChoices(view) {
  const box = id("choices"), wanted = !view.rows && app.tab.mayMove();
  box.hidden = !wanted;
  box.replaceChildren(...(wanted ? view.moves : []).map(({ move, words }) =>
    element("button", { "data-move": move, onclick: () => choose(move) }, words)));
}

function drawMoves() {
  const { game } = app, list = id("moves");
  const before = game.comment ? [element("span", { class: "comment" }, game.comment)] : [];
  list.replaceChildren(...before, ...entries(game.root, game));
  const here = list.querySelector("[aria-current]");
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** What the list shows below a node: its main line with the variations after each move. */
function entries(node, game, fresh = true) {
  const found = [];
  while (node.children.length) {
    const [main, ...others] = node.children;
    const numbered = main.number !== undefined && (fresh || main.side < (node.side ?? 2));
    found.push(numbered ? element("span", { class: "turn" }, turnNumber(main), entry(main, game))
      : entry(main, game));
    fresh = false;
    if (main.comment) found.push(element("span", { class: "comment" }, main.comment));
    for (const other of others) {
      const number = other.number === undefined ? [] : [turnNumber(other)];
      found.push(element("span", { class: "variation" }, ...number, entry(other, game),
        ...entries(other, game, false)));
      fresh = true;
    }
    node = main;
  }
  return found;
}

/** The number before a move: 3. or 3… */
function turnNumber({ number, side }) {
  return element("b", {}, `${number}${side === 0 ? "." : "…"}`);
}

function entry(node, game) {
  const title = MARKS[node.mark] ?? "";
  const mark = node.mark ? [element("span", { class: `mark ${title}`, title }, node.mark)] : [];
  return element("button", {
    "aria-current": node === game.current && "true", "data-ply": node.path.length,
    onclick: () => app.tab.step(node),
  }, node.words ?? node.move, ...mark);
}

/** Play what was typed, in any notation. */
export const playTyped = guarded(async () => {
  const text = id("typed").value.trim();
  if (!text) return;
  if (!app.tab.mayMove())
    throw new Error(app.game.over ? "The game is over." : "It is not your turn.");
  const { move } = await call("move", { ...app.game.body(), text });
  id("typed").value = "";
  await app.tab.move(move);
});
