// The pieces in hand, beside a player's name.  To drop one, click it and then a cell, or drag it.

import { element, svg, track } from "./dom.js";
import { drawPiece, pieceName } from "./pieces.js";

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
