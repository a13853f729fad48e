// Drawings of pieces, around the centre of a cell of 100 units.

import { svg } from "./dom.js";

// place: the transform of a drawing to its cell; drawings: letter -> [[part, path]], bottom first.
let chessmen = { place: "", drawings: {} };
let crownPath = "";

/** Set the paths of pieces: see scripts/drawing/board.py. */
export function useDrawings(facts) {
  chessmen = facts.chessmen;
  crownPath = facts.crown;
}

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

function chessman(char) {
  const name = char.toLowerCase();
  const colour = char === name ? "black" : "white";
  return svg("g",
    { class: `chessman ${colour}`, transform: chessmen.place },
    ...chessmen.drawings[name].map(([part, d]) => svg("path", { class: part, d })));
}

function disc(colour, radius, ...inside) {
  return svg("g", {},
    svg("circle", { class: "disc", fill: colour, r: radius }),
    svg("circle", { class: "inner", r: radius * 0.78 }), ...inside);
}

/** Return a man (m) or a king (k) of draughts; upper case: the first player's. */
function draughtsman(char, colours) {
  const [own, other] = char === char.toUpperCase() ? colours : [...colours].reverse();
  const crown = char.toLowerCase() === "k" ? [svg("path", { d: crownPath, fill: other })] : [];
  return disc(own, 40, ...crown);
}

const RADIUS = { wood: 45, rack: 39 };

/** Return the drawing of a piece, given the game's looks (games/looks.py) and its cell's text. */
export function drawPiece({ pieces, ground, colours }, cell) {
  if (pieces === "men" && chessmen.drawings[cell.toLowerCase()]) return chessman(cell);
  if (pieces === "draughtsmen" && "mk".includes(cell.toLowerCase()))
    return draughtsman(cell, colours);
  const first = cell === "X";
  if (first || cell === "O") {
    if (pieces === "discs") return disc(colours[first ? 0 : 1], RADIUS[ground] ?? 40);
    if (pieces === "marks") {
      return first
        ? svg("path", { class: "cross", d: "M-26 -26L26 26M26 -26L-26 26" })
        : svg("circle", { class: "nought", r: 29 });
    }
  }
  return svg("text", { class: "letter" }, cell);
}

/** Return the name of a cell's content, for screen readers. */
export function pieceName(view, cell) {
  if (!cell) return "empty";
  if (view.looks.pieces === "men" && NAMES[cell.toLowerCase()]) {
    return `${cell === cell.toUpperCase() ? "white" : "black"} ${NAMES[cell.toLowerCase()]}`;
  }
  if (view.looks.pieces === "draughtsmen") {
    const [side, kind] = [Number(cell !== cell.toUpperCase()), /k/i.test(cell) ? "king" : "man"];
    return `${view.colours[side]} ${kind}`;
  }
  if (cell === "X" || cell === "O") return view.colours[cell === "X" ? 0 : 1];
  return cell;
}

/** Return the drawing beside the name of player 0 or 1. */
export function playersPiece(view, side) {
  const { pieces, colours } = view.looks;
  const cell = ({ men: "Kk", draughtsmen: "Mm" }[pieces] ?? "XO")[side];
  const drawn = pieces === "letters" ? disc(colours[side], 30) : drawPiece(view.looks, cell);
  return svg("svg",
    { viewBox: "-52 -52 104 104", width: 24, height: 24, "aria-hidden": "true" }, drawn);
}

const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/**
 * Return the elements that show which pieces a player captured and their lead in material; none if
 * the game isn't played with chess pieces.  path: the nodes from the first position to the view.
 */
export function capturedMen(view, first, side, path) {
  if (view.looks.pieces !== "men" || view.hands || !first) return [];
  const lost = counted(first), standing = counted(view);
  for (const node of path) promote(lost, node);
  const found = [];
  for (const char of "pnbrq") {
    const own = side === 0 ? char : char.toUpperCase(); // the opponent's piece
    const taken = Math.max(0, (lost[own] ?? 0) - (standing[own] ?? 0));
    for (let number = 0; number < taken; number++)
      found.push(svg("svg", { viewBox: "-42 -46 84 92", width: 14, height: 16, class: "taken" },
        drawPiece(view.looks, own)));
  }
  const lead = (side === 0 ? 1 : -1) * Object.entries(standing).reduce((sum, [char, count]) =>
    sum + (char === char.toLowerCase() ? -1 : 1) * count * (WORTH[char.toLowerCase()] ?? 0), 0);
  return lead > 0 ? [...found, ` +${lead}`] : found;
}

/** Count the pawn that a move promotes as the new piece from the start. */
function promote(pieces, { move, side }) {
  const [, letter] = /\d([qrbnk])$/.exec(move) ?? [];
  if (!letter) return;
  const [pawn, piece] = side === 0 ? ["P", letter.toUpperCase()] : ["p", letter];
  pieces[pawn] -= 1;
  pieces[piece] = (pieces[piece] ?? 0) + 1;
}

function counted(view) {
  const found = {};
  for (const row of view.rows) for (const char of row) found[char] = (found[char] ?? 0) + 1;
  return found;
}
