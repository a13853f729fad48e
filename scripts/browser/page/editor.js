// The board editor: sets pieces, the side to move and castling rights; explains what is impossible.
// Annotations: marks and comments; promoting and deleting variations.

import { app, guarded } from "./app.js";
import { ask, element, id, options } from "./dom.js";
import { Game, handsOf, rightsOf } from "./game.js";
import { Grid } from "./grid.js";
import { GLYPHS, MARKS } from "./moves.js";
import { pieceIcon, pieceName } from "./pieces.js";
import { call } from "./transport.js";

let rows = [];          // lists of texts, rank 1 first
let checked = null;     // the server's answer: {text, wrong}
let asked = 0;

const view = () => ({ ...app.game.current.view, rows, moves: [], last: [], line: [], check: null,
  side: Number(id("edit-side").value) });

const editor = {
  grid: null,

  open() {
    const { current, facts } = app.game;
    editor.grid ??= makeGrid();
    id("brushes").replaceChildren(...[...Object.keys(facts.pieces), ""].map(brushChoice));
    id("edit-side").replaceChildren(...options([...facts.colours.entries()]));
    id("edit-rights").replaceChildren(...[...facts.looks.rights].map((letter) =>
      element("label", { class: "inline" },
        element("input", { type: "checkbox", value: letter }), rightName(letter))));
    id("edit-hands-box").hidden = !current.view.hands && !facts.looks.counters;
    id("edit-hands-name").textContent = facts.looks.counters || "In hand";
    id("edit-box").showModal();
    editor.take(current.view);
  },

  /** Show the position of a view. */
  take(seen) {
    const { looks } = app.game.facts, rights = rightsOf(seen.text);
    rows = structuredClone(seen.rows);
    id("edit-side").value = seen.side;
    id("edit-hands").value = handsOf(seen, looks);
    for (const box of id("edit-rights").querySelectorAll("input"))
      box.checked = rights.includes(box.value);
    editor.show();
  },

  show() {
    editor.grid.show(view());
    guarded(editor.check)();
  },

  put(cell) {
    const [column, row] = cell, before = rows[row][column];
    const brush = id("brushes").querySelector(":checked").value;
    rows[row][column] = before === brush ? "" : brush;
    editor.show();
  },

  clear() {
    id("edit-hands").value = "";
    rows = rows.map((row) => row.map((cell) => cell && ""));
    editor.show();
  },

  async usual() {
    const { game, options } = app.game.setup;
    editor.take(await call("position", { game, options }));
  },

  /** Ask the server for the position's text and its fault, if any. */
  async check() {
    const number = asked += 1;
    id("edit-done").disabled = true; // until the answer comes, `checked` belongs to an earlier position
    const rights = [...id("edit-rights").querySelectorAll("input:checked")];
    const found = await call("arrange", {
      game: app.game.setup.game, options: app.game.setup.options,
      rows, side: Number(id("edit-side").value), rights: rights.map(({ value }) => value).join(""),
      hands: id("edit-hands").value.trim(),
    });
    if (number !== asked) return;
    checked = found;
    id("edit-text").textContent = found.text;
    id("edit-error").textContent = found.wrong;
    id("edit-done").disabled = Boolean(found.wrong);
  },

  async done() {
    const game = new Game({ ...app.game.setup, start: checked.text });
    await app.show("analyse");
    await app.go(game.root, { game, ready: () => { app.flipped = false; } });
  },
};

function makeGrid() {
  const grid = new Grid(id("edit-board"));
  grid.host.addEventListener("pointerdown", (event) => {
    const cell = grid.cellUnder(event.clientX, event.clientY);
    if (cell) editor.put(cell);
  });
  grid.host.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") editor.put(grid.cursor ?? [0, 0]);
    else if (!grid.moveCursor(event.key)) return;
    event.preventDefault();
  });
  return grid;
}

/** Return the choice of a piece to put on the board; "" empties a cell. */
function brushChoice(piece, index) {
  const seen = view(), name = pieceName(seen, piece);
  const picture = piece ? pieceIcon(seen, piece, 32) : "✕";
  return element("label", { class: "inline", title: name, "data-brush": piece || "empty" },
    element("input", { type: "radio", name: "brush", value: piece, checked: !index, "aria-label": name }),
    picture);
}

const rightName = (letter) => `${letter === letter.toUpperCase() ? "White" : "Black"} `
  + (letter.toLowerCase() === "k" ? "O-O" : "O-O-O");

export function startEditor() {
  id("editor").addEventListener("click", guarded(() => editor.open()));
  id("edit-box").addEventListener("input", editor.show);
  id("edit-clear").addEventListener("click", editor.clear);
  id("edit-usual").addEventListener("click", guarded(editor.usual));
  id("edit-done").addEventListener("click", guarded(editor.done));
}

// ---- annotations -----------------------------------------------------------------------

/** Show the annotations of the move on the board. */
export function showAnnotations() {
  const { current, root, comment } = app.game;
  const box = id("comment");
  if (document.activeElement !== box || box.node !== current)
    box.value = current === root ? comment : current.comment;
  box.node = current;
  for (const button of id("marks").children) {
    button.disabled = current === root;
    const nags = current.kept.nags ?? [];
    button.setAttribute("aria-pressed",
      button.value === current.mark || nags.includes(Number(button.value)));
  }
  id("promote").disabled = current.path.every((node) => node.parent.children[0] === node);
  id("delete").disabled = current === root;
}

function annotated() {
  app.drawMoves();
  showAnnotations();
  app.changed();
}

/** Store the comment while it is typed, since a reload ends the typing without a change event. */
function remark() {
  const { current, root } = app.game;
  if (current === root) app.game.comment = id("comment").value.trim();
  else current.comment = id("comment").value.trim();
  app.changed();
}

async function remove() {
  const { current } = app.game, { parent } = current;
  const more = current.children.length ? " and all moves after it" : "";
  const sure = await ask(`Delete ${current.words}${more}?`, [
    { label: "Delete", value: "yes" }, { label: "Keep it", value: "no" }]);
  if (sure !== "yes") return;
  parent.children = parent.children.filter((node) => node !== current);
  await app.go(parent);
}

export function startAnnotating() {
  const button = (value, sign, name, toggle) =>
    element("button", { value, title: name, "aria-label": name, onclick: () => {
      toggle(app.game.current);
      annotated();
    } }, sign);
  id("marks").replaceChildren(
    ...Object.entries(MARKS).map(([mark, name]) => button(mark, mark, name, (node) => {
      node.mark = node.mark === mark ? "" : mark;
    })),
    ...Object.entries(GLYPHS).map(([nag, [sign, name]]) => button(nag, sign, name, ({ kept }) => {
      const { nags = [] } = kept, number = Number(nag);
      kept.nags = nags.includes(number) ? nags.filter((each) => each !== number) : [...nags, number];
    })));
  id("comment").addEventListener("input", remark);
  id("comment").addEventListener("change", annotated);
  id("promote").addEventListener("click", () => {
    app.game.promote(app.game.current);
    annotated();
  });
  id("delete").addEventListener("click", guarded(remove));
}
