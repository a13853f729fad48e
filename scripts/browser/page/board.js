// The board of any game: what it shows, and how it is played on by clicks, by dragging and by the
// keyboard.

import { ask, element, svg } from "./dom.js";
import { Grid, cellName, same } from "./grid.js";
import { drawPiece } from "./pieces.js";
import { walkedTree } from "./tree.js";

const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board extends Grid {
  /** host: the element to draw in.  onMove(text): a legal move was chosen. */
  constructor(host, onMove) {
    super(host);
    this.onMove = onMove;
    // here, for an SVG that listened would itself be a stop for the Tab key
    host.addEventListener("focusin", (event) => {
      const name = event.target.dataset?.cell;
      if (name) this.cursor = [letterIndex(name), Number(name.slice(1)) - 1];
    });
  }

  /**
   * Draw a view.  flipped: seen by the other player.  playable: moves may be made.
   * arrows: [{move, kind}].
   */
  show(view, { flipped = false, playable = false, arrows = [] } = {}) {
    const before = this.view;
    const focused = this.host.contains(document.activeElement);
    if (before?.text !== view.text || !playable) this.chosen = null;
    Object.assign(this, { view, flipped, playable, arrows });
    if (view.tree) {
      this.host.replaceChildren(walkedTree(view, { playable, arrows, onMove: this.onMove }));
      this.host.querySelector(".current").scrollIntoView({ block: "nearest", inline: "center" });
      return;
    }
    if (!view.rows) {
      this.host.replaceChildren(element("pre", { class: "picture" }, view.picture.join("\n")));
      return;
    }
    this.columns = view.rows[0].length;
    this.height = view.rows.length;
    if (this.cursor) {
      const [column, row] = this.cursor; // which another board may not have
      this.cursor = [Math.min(column, this.columns - 1), Math.min(row, this.height - 1)];
    }
    this.draw();
    if (focused && this.cursor) this.cellAt(this.cursor)?.focus();
    if (before && before.name === view.name && view.played.length === before.played.length + 1)
      this.animate();
  }

  async press(cell) {
    if (!this.playable) return;
    const reached = this.chosen
      ? this.movesFrom(this.chosen).filter((move) => same(move.to, cell))
      : [];
    const moves = reached.length ? reached : this.placements(cell);
    if (moves.length) {
      this.chosen = null;
      const text = moves.length === 1 ? moves[0].move : await this.choose(moves);
      if (text) this.onMove(text);
      else this.redraw();
      return;
    }
    this.chosen = this.movesFrom(cell).length && !same(this.chosen, cell) ? cell : null;
    this.redraw();
  }

  choose(moves) {
    const promotes = moves.every((move) => move.promotion);
    return ask(
      promotes ? "Promote to" : "Which move?",
      moves.map(({ move, words, promotion }) => ({
        value: move,
        label: promotes ? PROMOTIONS[promotion] : words,
        picture:
          promotes
          && svg(
            "svg",
            { viewBox: "-50 -50 100 100", width: 64, height: 64 },
            drawPiece(this.view.looks, this.view.side ? promotion : promotion.toUpperCase()),
          ),
      })),
    );
  }

  draw() {
    super.draw();
    this.listen(this.picture);
  }

  redraw() {
    const focused = this.host.contains(document.activeElement);
    this.draw();
    if (focused && this.cursor) this.cellAt(this.cursor)?.focus();
  }

  listen(picture) {
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("keydown", (event) => this.key(event));
  }

  /** A press chooses a piece or plays a move; a dragged piece is played where it is let go. */
  down(event) {
    const cell = this.cellUnder(event.clientX, event.clientY);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    const mine = this.playable && this.movesFrom(cell).length > 0;
    const before = this.chosen;
    if (!mine) {
      this.press(cell);
      return;
    }
    if (before && this.movesFrom(before).some((move) => same(move.to, cell))) {
      this.press(cell);
      return;
    }
    this.chosen = cell;
    this.redraw();
    this.drag(cell, event, same(before, cell));
  }

  drag(cell, begun, again) {
    const drawn = this.places.get(cellName(cell));
    const scale = this.picture.getScreenCTM().inverse();
    const move = (event) => {
      const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(scale);
      drawn.parentNode.append(drawn);
      drawn.setAttribute("transform", `translate(${to.x} ${to.y})`);
    };
    const up = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      const target =
        event.type === "pointerup" ? this.cellUnder(event.clientX, event.clientY) : null;
      if (same(target, cell)) {
        if (again) this.chosen = null;
        this.redraw();
      } else if (target && this.movesFrom(cell).some((each) => same(each.to, target))) {
        this.dropped = true;
        this.press(target);
      } else {
        this.redraw();
      }
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  key(event) {
    const cursor = this.cursor ?? [0, 0];
    if (STEPS[event.key]) {
      const rows = this.rowsFromTop();
      const [right, down] = STEPS[event.key];
      const column = cursor[0] + (this.turned ? -right : right);
      const row = rows[rows.indexOf(cursor[1]) + down];
      if (column >= 0 && column < this.columns && row !== undefined) {
        this.cellAt(cursor)?.setAttribute("tabindex", -1);
        this.cursor = [column, row];
        this.cellAt(this.cursor).setAttribute("tabindex", 0);
        this.cellAt(this.cursor).focus();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.press(cursor);
    } else if (event.key === "Escape") {
      this.chosen = null;
      this.redraw();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

const letterIndex = (name) => name.charCodeAt(0) - 97;
