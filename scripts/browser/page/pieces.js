// What stands on a cell, drawn around the middle of a cell of 100 units.

import { svg } from "./dom.js";

const BASE = "M11.5 39.5h22v-3.2c0-1.6-1.2-2.8-2.8-2.8H14.3c-1.6 0-2.8 1.2-2.8 2.8z";
// Chess pieces on a field of 45 units: outlines, then lines of detail.
const OUTLINES = {
  p:
    "M22.5 8.2a5.6 5.6 0 0 1 3.4 10h2.6v2.6h-2.3c.3 5.2 2.2 9 5 12.2H13.8"
    + "c2.8-3.2 4.7-7 5-12.2h-2.3v-2.6h2.6a5.6 5.6 0 0 1 3.4-10z",
  r:
    "M12.3 8.5h4.9v3.2h3V8.5h4.6v3.2h3V8.5h4.9v8.3l-3.4 3v10.4l2.4 3.3H13.3l2.4-3.3V19.8"
    + "l-3.4-3z",
  n:
    "M13.6 33.5c-.4-6.6 3.6-9.1 7.6-12.7-2.7.1-4.4 1.1-6.6 2.4-2 1.2-5.3.5-5.7-2.4-.3-2"
    + " 3.6-6.9 5.3-9.7.6-1 .5-2.9.7-5.3l4.1 3c7.4.1 13.1 6.3 13.1 15.3 0 3.6-.5 6.7-1.2"
    + " 9.4z",
  b:
    "M22.5 5.2a2.7 2.7 0 0 1 1.7 4.8c4 3.6 6.7 7.5 6.7 11.5 0 3.2-1.5 5.3-3.8 6.9l1.5 5.1"
    + "H16.4l1.5-5.1c-2.3-1.6-3.8-3.7-3.8-6.9 0-4 2.7-7.9 6.7-11.5a2.7 2.7 0 0 1 1.7-4.8z",
  q:
    "M8.3 11.3a2.5 2.5 0 1 1 2.9 2.4l4.5 7.3 1.3-11.3a2.5 2.5 0 1 1 2.5-.5l3 10.3 3-10.3"
    + "a2.5 2.5 0 1 1 2.5.5l1.3 11.3 4.5-7.3a2.5 2.5 0 1 1 2 .5L32.2 29l1 4.5H11.8l1-4.5"
    + "L9.2 13.7a2.5 2.5 0 0 1-.9-2.4z",
  k:
    "M21.2 4h2.6v2.6h2.7v2.6h-2.7v3.2c1.9.5 3 1.9 3 3.6 0 .6-.1 1.1-.3 1.6 4.9-2.5"
    + " 10.4-.3 10.9 4.4.4 3.6-1.6 6.9-4.6 9.3v2.2H12.2v-2.2c-3-2.4-5-5.7-4.6-9.3.5-4.7"
    + " 6-6.9 10.9-4.4-.2-.5-.3-1-.3-1.6 0-1.7 1.1-3.1 3-3.6V9.2h-2.7V6.6h2.7z",
};
const DETAILS = {
  p: "",
  r: "M15.8 20h13.4M15.6 30.3h13.8",
  n: "M19 23.5c3-.6 4.7-2.3 5.6-4.5",
  b: "M22.5 15v8M18.7 18.8h7.6M17.9 28.4h9.2",
  q: "M13 29.2c6-1.7 13-1.7 19 0",
  k: "M12.4 30.4c6-1.8 14.2-1.8 20.2 0M22.5 19.5v7.5",
};
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

function chessman(char) {
  const name = char.toLowerCase();
  const colour = char === name ? "black" : "white";
  const group = svg("g",
    { class: `chessman ${colour}`, transform: "translate(-54.7 -54.2) scale(2.43)" },
    svg("path", { d: OUTLINES[name] }), svg("path", { d: BASE }),
    svg("path", { class: "detail", d: DETAILS[name] }));
  if (name === "n") group.append(svg("circle", { class: "eye", cx: 17.6, cy: 14.6, r: 1.2 }));
  return group;
}

function disc(colour, radius) {
  return svg("g", { class: `disc-${colour}` },
    svg("circle", { class: `disc ${colour}`, r: radius }),
    svg("circle", { class: "inner", r: radius * 0.78 }));
}

/** The drawing of a piece, given the board's kind and the text in its cell. */
export function drawPiece(kind, cell) {
  if (kind === "pieces" && OUTLINES[cell.toLowerCase()]) return chessman(cell);
  const first = cell === "X";
  if (first || cell === "O") {
    if (kind === "discs") return disc(first ? "black" : "white", 40);
    if (kind === "stones") return disc(first ? "black" : "white", 45);
    if (kind === "holes") return disc(first ? "yellow" : "red", 39);
    if (kind === "marks") {
      return first
        ? svg("path", { class: "cross", d: "M-26 -26L26 26M26 -26L-26 26" })
        : svg("circle", { class: "nought", r: 29 });
    }
  }
  return svg("text", { class: "letter" }, cell);
}

/** The name of what stands on a cell, for those who hear it. */
export function pieceName(view, cell) {
  if (!cell) return "empty";
  if (view.kind === "pieces" && NAMES[cell.toLowerCase()]) {
    return `${cell === cell.toUpperCase() ? "white" : "black"} ${NAMES[cell.toLowerCase()]}`;
  }
  if (cell === "X" || cell === "O") return view.colours[cell === "X" ? 0 : 1];
  return cell;
}

/** The piece that stands for player 0 or 1 beside the name. */
export function playersPiece(view, side) {
  const cell = view.kind === "pieces" ? "Kk"[side] : "XO"[side];
  const drawn = view.kind === "letters"
    ? svg("circle", { r: 30, class: side ? "disc black" : "disc white" })
    : drawPiece(view.kind, cell);
  return svg("svg",
    { viewBox: "-52 -52 104 104", width: 24, height: 24, "aria-hidden": "true" }, drawn);
}
