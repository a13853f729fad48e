// Drawings of pieces, around the centre of a cell of 100 units.

import { element, svg, track } from "./dom.js";
import { setting } from "./settings.js";

// place: the transform of a drawing to its cell; drawings: letter -> [[part, path]], bottom first.
let chessmen = { place: "", drawings: {} };
let crownPath = "", wedgePath = "";

/** Set the paths of pieces: see scripts/drawing/board.py. */
export function useDrawings(facts) {
  chessmen = facts.chessmen;
  crownPath = facts.crown;
  wedgePath = facts.wedge;
}

function chessman({ side, symbol }) {
  return svg("g",
    { class: `chessman ${side ? "black" : "white"}`, transform: chessmen.place },
    ...chessmen.drawings[symbol].map(([part, d]) => svg("path", { class: part, d })));
}

function disc(colour, radius, ...inside) {
  return svg("g", {},
    svg("circle", { class: "disc", fill: colour, r: radius }),
    svg("circle", { class: "inner", r: radius * 0.78 }), ...inside);
}

/** Return a piece of shogi, which points at the opponent: board.css turns it. */
function wedge({ side, symbol }) {
  return svg("g", { class: side ? "wedge second" : "wedge" },
    svg("path", { d: wedgePath }),
    svg("text", { y: 9, "font-size": symbol.length > 1 ? 34 : 52 }, symbol));
}

const RADIUS = { wood: 45, rack: 39 };
// The drawings by the kind of pieces (games/looks.py), given a piece of `view.pieces`.
const DRAWINGS = {
  men: chessman,
  wedges: wedge,
  discs: ({ side }, { colours, ground }) => disc(colours[side], RADIUS[ground] ?? 40),
  draughtsmen: ({ side, symbol }, { colours }) => disc(colours[side], 40,
    ...(symbol ? [svg("path", { d: crownPath, fill: colours[1 - side] })] : [])),
  marks: ({ side }) => side ? svg("circle", { class: "nought", r: 29 })
    : svg("path", { class: "cross", d: "M-26 -26L26 26M26 -26L-26 26" }),
  letters: ({ symbol }) => svg("text", { class: "letter" }, symbol),
};

/** Return the drawing of a piece, given as the text of a cell.  view: at least a game's facts. */
export function drawPiece({ looks, pieces }, cell) {
  const known = pieces[cell], letters = looks.pieces === "wedges" && setting("shogi") === "letters";
  const piece = known && letters ? { ...known, symbol: cell.toUpperCase() } : known;
  return DRAWINGS[piece ? looks.pieces : "letters"](piece ?? { symbol: cell }, looks);
}

/** Return a picture of a piece for a control that names the piece.  size: in pixels. */
export const pieceIcon = (view, piece, size) => svg("svg", { viewBox: "-50 -50 100 100",
  width: size, height: size, "aria-hidden": "true" }, drawPiece(view, piece));

/** Return the name of a cell's content, for screen readers. */
export function pieceName({ pieces, colours }, cell) {
  const { side, kind } = pieces[cell] ?? {};
  if (kind) return `${colours[side]} ${kind}`.toLowerCase();
  return colours[side] ?? (cell || "empty");
}

export const firstOf = ({ pieces }, side) =>
  Object.keys(pieces).find((piece) => pieces[piece].side === side);

/** Return the drawing beside the name of player 0 or 1. */
export function playersPiece(view, side) {
  const drawn = view.looks.pieces === "letters" ? disc(view.looks.colours[side], 30)
    : drawPiece(view, firstOf(view, side));
  return svg("svg", { viewBox: "-52 -52 104 104", width: 24, height: 24, "aria-hidden": "true" }, drawn);
}

/** Return the elements that show which pieces a player took and their lead in material. */
export function capturedMen(view, side) {
  const found = (view.taken?.[side] ?? []).map((piece) =>
    svg("svg", { viewBox: "-42 -46 84 92", width: 14, height: 16, class: "taken" },
      drawPiece(view, piece)));
  const lead = (side ? -1 : 1) * (view.lead ?? 0);
  return lead > 0 && !view.hands ? [...found, ` +${lead}`] : found;
}

// ---- pieces in hand: to drop one, click it and then a cell, or drag it ----------------

/** Return the buttons of a player's hand.  board: the Board that takes the pieces. */
export function handOf(view, side, board) {
  const pieces = view.hands?.[side] ?? [];
  return [...new Set(pieces)].map((letter) => {
    const count = pieces.filter((each) => each === letter).length;
    const drawn = svg("svg", { viewBox: "-42 -46 84 92", width: 22, height: 24 },
      drawPiece(view, letter));
    return element("button", {
      class: "hand", "data-hand": letter, "aria-label": `${pieceName(view, letter)}, ${count} in hand`,
      disabled: board.premoving !== side
        && (!board.playable || !view.moves.some((move) => move.drop === letter)),
      onpointerdown: (event) => drag(event, drawn.cloneNode(true), board, letter),
      onclick: (event) => { if (event.detail === 0) board.take(letter); }, // by the keyboard
    }, drawn, count > 1 ? element("sub", {}, count) : "");
  });
}

/** Take a piece; drop it where the pointer is released, if it was dragged to the board. */
function drag(event, shown, board, letter) {
  event.preventDefault();
  board.take(letter);
  const follow = ({ clientX, clientY }) => {
    shown.style.cssText = `position: fixed; left: ${clientX - 22}px; top: ${clientY - 24}px;
      width: 44px; height: 48px; pointer-events: none; z-index: 3`;
    document.body.append(shown);
  };
  track(follow, ({ type, clientX, clientY }) => {
    shown.remove();
    if (type === "pointerup") board.dropAt(clientX, clientY);
  });
}
