// State that all tabs share: the game on the board, the list of its moves, and stepping through it.

import { Board } from "./board.js";
import { element, id, sound } from "./dom.js";
import { facts } from "./game.js";
import { drawMoves } from "./moves.js";
import { capturedMen, handOf, playersPiece } from "./pieces.js";
import { call, connection } from "./transport.js";

export const app = {
  facts,
  game: null,
  flipped: false,
  tab: null,            // the tab on screen: see main.js
  show: null,           // show(name): switch to another tab
  arrows: [],
  asked: 0,             // number of calls of go()
  target: null,         // the node that go() is loading
  opening: null,        // the promise of work that puts another game on the board
  leaving: [],          // functions that end what belongs to a position: see put()
  drawAnnotations() {}, // see editor.js
  changed() {},         // called when there is something new to save: see keeping.js
  listed() {},          // listed(game): show the list of the open file's games: see records.js
  playHere() {},        // playHere(move): ask who plays on from the position: see setup.js
  board: new Board(id("board"), {
    move: (move) => choose(move),
    heard: (text) => announce(text),
    refused: (what, why) => (why ? say(`${what}, ${why}`) : announce(what)),
    shapes: (shapes) => {
      app.game.current.shapes = shapes;
      app.changed();
    },
  }),

  /** Go to a node and add it to the tree.  game: the node's game, if it isn't the current one.
   * first: make the node the main line.  ready(): called before the node is shown, when all work on
   * the previous position has ended.  If the node can't be loaded, throw and change nothing.  Return
   * false if another call came meanwhile. */
  async go(node, { game = app.game, first = false, ready } = {}) {
    const number = app.asked += 1;
    app.target = node;
    try {
      await game.load(node);
    } finally {
      if (number === app.asked) app.target = null;
    }
    if (number !== app.asked) return false;
    const before = app.game?.current;
    app.put(game);
    ready?.();
    for (const each of node.path) each.takenBack = false;
    game.keep(node, first);
    game.current = node;
    app.arrows = [];
    if (node.parent && node.parent === before) sound(node.over ? "end" : "move");
    app.refresh();
    app.changed();
    return true;
  },

  /** Put a game on the board.  End questions, searches and hints about the previous position.  If the
   * game is another one, also end premoves, the analysis of the whole game and a quiz. */
  put(game) {
    const other = game !== app.game;
    for (const end of app.leaving) end(other);
    if (!other) return;
    for (const name of ["ask", "edit-box"]) id(name).close(); // they are about the game before
    Object.assign(app, { game, opening: null, arrows: [] });
    app.listed(game);
    id("game").value = game.setup.game;
  },

  /** Draw everything about the current node, then notify the tab. */
  refresh() {
    app.draw();
    app.tab.arrived?.();
  },

  draw() {
    const { game } = app, view = game.current.view;
    app.drawBoard();
    drawPlayers(view);
    app.drawMoves();
    drawChoices(view);
    id("opening").textContent = id("opening").title = view.opening ?? "";
    id("caption").textContent = game.match ? "" : game.caption;
    if (id("position").value !== view.text) id("position").value = view.text;
    id("editor").disabled = !view.editable;
    const over = game.over;
    const state = over ? "over" : app.tab.mayMove?.() ? "yours" : "theirs";
    Object.assign(document.body.dataset, { game: view.name, state, ply: game.current.path.length });
    if (connection.lost) say(connection.lost, true, "status");
    else say(app.tab.status?.() ?? over?.reason ?? turnWords(view), false, "status");
  },

  drawBoard() {
    const { tab, flipped, arrows, game: { current } } = app;
    app.board.show(current.view, { ply: current.path.length, flipped, arrows, shapes: current.shapes,
      playable: tab.mayMove?.(), premoving: tab.premoving?.() ?? null });
  },

  drawMoves() {
    drawMoves(app.game, id("moves"), { step: app.visit, hidden: app.tab.spoils?.() });
    app.drawAnnotations();
  },

  point(arrows) {
    app.arrows = arrows;
    app.board.point(arrows);
  },

  /** Go to a node that the user has chosen. */
  visit: (node) => (app.tab.step ?? guarded(app.go))(node),

  step(number) {
    const { game } = app, line = [game.root, ...game.through()];
    const from = line.includes(app.target) ? app.target : game.current; // the target may still be loading
    const at = line.indexOf(from) + number;
    const target = line[Math.max(0, Math.min(line.length - 1, at))];
    if (target !== from) app.visit(target);
  },
};

/** Show a message below the board, or in the box of a tab without a board. */
export function say(text, wrong = false, name = app.tab?.messages ?? "status") {
  const box = id(name);
  if (box.textContent !== text) box.textContent = text;
  box.title = text;
  box.classList.toggle("error", wrong);
}

/** Scroll to the board if it is outside the window, as it may be on a phone. */
export const showTable = () => id("table").scrollIntoView({ block: "nearest" });

export const announce = (text) => { id("news").textContent = text; };

export const turnWords = ({ colours, side, check }) => `${colours[side]} to move${check ? ": check" : ""}`;

/** Wrap a function that may fail so that its error is shown below the board. */
export const guarded = (work) => async (...words) => {
  try {
    return await work(...words);
  } catch (error) {
    say(error.message, true);
  }
};

/** Wrap work that puts another game on the board; the board accepts no moves until the work is done. */
export const opening = (work) => (...words) => {
  const own = app.opening = work(...words);
  return own.finally(() => { if (app.opening === own) app.opening = null; });
};

/** Pass a move that was chosen on the board to the tab. */
const choose = guarded((move) => {
  if (app.opening) app.drawBoard(); // a piece that was dragged goes back
  return app.opening ? say("Another game is being opened") : app.tab.move(move);
});

function drawPlayers(view) {
  const { bottom } = view.looks, below = app.flipped ? 1 - bottom : bottom;
  for (const [place, side] of [["player-bottom", below], ["player-top", 1 - below]]) {
    const box = id(place);
    box.classList.toggle("moves", !app.game.over && view.side === side);
    box.dataset.side = side;
    const part = (kind, ...children) => element("span", { class: kind }, ...children);
    const name = (app.game.match && app.tab.player?.(side)) || app.game.named(side), colour = view.colours[side];
    box.replaceChildren(part("piece", playersPiece(view, side)),
      part("name", view.rows || name === colour ? name : `${name} (${colour})`), // no piece shows whose side it is
      part("note", view.counts ? `${view.counts[side]} ` : "", ...handOf(view, side, app.board),
        ...capturedMen(view, side)),
      part("clock", (app.game.match && box.querySelector(".clock")?.textContent) || app.game.clockOf(side)));
  }
  id("pass").hidden = !(app.tab.mayMove?.() && view.moves.length === 1 && view.moves[0].pass);
}

/** Show the legal moves as buttons if there is no board to click on. */
function drawChoices(view) {
  const box = id("choices"), wanted = !view.rows && app.tab.mayMove?.();
  box.hidden = !wanted;
  box.replaceChildren(...(wanted ? view.moves : []).map(({ move, words }) =>
    element("button", { "data-move": move, onclick: () => choose(move) }, words)));
}

/** Play the move that was typed, in any notation. */
export const playTyped = guarded(async () => {
  const box = id("typed"), text = box.value.trim();
  if (!text) return;
  box.select(); // the next move replaces one that is refused
  if (!app.tab.mayMove?.())
    throw new Error(app.game.over ? "The game is over." : "It is not your turn.");
  const { current } = app.game, { move } = await call("move", { ...app.game.body(), text });
  if (app.game.current !== current) return;
  box.value = "";
  await choose(move);
});
