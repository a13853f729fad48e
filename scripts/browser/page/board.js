// The board of any game, with moves by clicks, dragging and the keyboard.

import { ask, element, parsed, track } from "./dom.js";
import { wordsOf } from "./game.js";
import { COLOURS, Grid, cellOf, same } from "./grid.js";
import { pieceIcon, pieceName } from "./pieces.js";

const SMALL = 24; // pixels: a tap on a smaller cell is confirmed by a second one

export class Board extends Grid {
  /** host: the element to draw in.  tell: callbacks {move(text): a legal move was chosen;
   * shapes([{kind, word}]): the user's arrows and circles changed; heard(text): a text for
   * screen readers; refused(what, why): a press on a cell had no effect}. */
  constructor(host, tell) {
    super(host);
    this.tell = tell;
    this.aimed = null; // the small cell that was tapped once
    // on the host: an SVG with this listener would itself be a stop for the Tab key
    host.addEventListener("focusin", (event) => {
      if (event.target.dataset?.at) this.cursor = cellOf(event.target);
    });
    host.addEventListener("contextmenu", (event) => event.preventDefault());
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draw a view.  ply: number of moves before it.  flipped: seen by the second player.  playable:
   * accept moves.  premoving: the side that may premove, or null.  arrows: [{move, kind}].
   * shapes: [{kind, word}], see game.js. */
  show(view, { ply = 0, flipped = false, playable = false, premoving = null, arrows = [],
    shapes = [] }) {
    const before = this.view, former = this.ply;
    if (before?.text !== view.text || !playable) this.chosen = null;
    this.aimed = null;
    Object.assign(this, { view, ply, flipped, playable, premoving, arrows, shapes });
    if (!view.rows) {
      this.host.replaceChildren(element("div", { class: "picture" }, view.tree ? parsed(view.tree)
        : element("pre", {}, view.picture.join("\n"))));
      this.host.querySelector(".node.current")?.scrollIntoView({ block: "nearest", inline: "center" });
      return;
    }
    super.show(view);
    if (before?.name === view.name && ply === former + 1) this.animate();
  }

  point(arrows) {
    this.arrows = arrows;
    if (this.view?.rows) this.drawPointed();
  }

  async press(cell, touched = false) {
    if (this.premoving !== null) this.prepare(cell);
    if (!this.playable) return;
    const reached = this.movesTo(cell);
    if (reached.length && !reached.some(({ to }) => same(to, cell))) {
      this.jumps.push(cell);
      this.redraw();
      return;
    }
    const moves = reached.length ? reached : this.placements(cell);
    if (moves.length) {
      if (touched && this.cellSize < SMALL && !same(this.aimed, cell)) {
        this.aim(cell);
        return;
      }
      this.chosen = null;
      const text = moves.length === 1 ? moves[0].move : await this.choose(moves);
      if (text) this.tell.move(text);
      else this.redraw();
      return;
    }
    if (this.movesFrom(cell).length && !same(this.chosen, cell)) {
      this.pick(cell);
      return;
    }
    if (same(this.chosen, cell)) this.tell.heard(`${this.named(cell)} put down`);
    else this.tell.refused(...this.refusal(cell));
    this.chosen = null;
    this.redraw();
  }

  /** Choose a premove's piece or its target.  Another click drops the premove. */
  prepare(cell) {
    const { chosen, inHand } = this;
    const begun = chosen || inHand || (this.view.entry !== "move" && !this.content(cell));
    this.premove = begun ? { from: chosen, drop: inHand, to: cell } : null;
    this.chosen = !begun && this.isOwn(cell, this.premoving) ? cell : null;
    this.redraw();
  }

  /** Play the premove; if it isn't legal, it is refused like any other move. */
  playPremove() {
    const { from, drop, to } = this.premove ?? {};
    this.premove = null;
    if (!to) return;
    this.chosen = from;
    this.inHand = drop;
    this.press(to);
  }

  /** Choose a cell, and tell a screen reader where its piece can go. */
  pick(cell) {
    this.chosen = cell;
    this.redraw();
    this.tell.heard(`${this.named(cell)} picked up${this.reach(this.movesFrom(cell))}`);
  }

  reach(moves) {
    return `: to ${[...new Set(moves.map(({ to }) => this.nameOf(to)))].join(", ")}`;
  }

  named(cell) {
    return `${pieceName(this.view, this.content(cell))} ${this.nameOf(cell)}`;
  }

  /** Return [what can't be done with a cell, the reason or ""]. */
  refusal(cell) {
    const { view, chosen } = this;
    const barred = (from, to) =>
      view.barred.find((each) => same(each[0], from) && (!to || same(each[1], to)))?.[2] ?? "";
    const taken = this.isOwn(cell) ? "an own piece is there" : "";
    if (chosen)
      return [`${this.named(chosen)} can't go to ${this.nameOf(cell)}`, taken || barred(chosen, cell)];
    if (this.inHand)
      return [`${pieceName(view, this.inHand)} can't be dropped on ${this.nameOf(cell)}`,
        taken || (view.check ? `${view.colours[view.side]} is in check` : "")];
    return [`${this.named(cell)}: no legal move`,
      this.isOwn(cell) ? barred(cell) : `${view.colours[view.side]} is to move`];
  }

  /** Is a piece of a side on a cell, in a game whose pieces move? */
  isOwn(cell, side = this.view.side) {
    const { entry, pieces } = this.view;
    return entry === "move" && pieces[this.content(cell)]?.side === side;
  }

  /** Mark a small cell that was tapped once: a second tap plays there. */
  aim(cell) {
    this.aimed = cell;
    this.drawPointed();
    this.pointed.append(this.arrow(null, cell, "aim"));
  }

  choose(moves) {
    const { view } = this, promotes = moves.every(({ becomes }) => view.pieces[becomes]);
    const stays = promotes && moves.some(({ from, becomes }) => from && becomes === this.content(from));
    return ask(
      stays ? "Promote?" : promotes ? "Promote to" : "Which move?",
      moves.map(({ move, becomes, ...spelt }) => ({
        value: move,
        label: (promotes && view.pieces[becomes].kind) || wordsOf(spelt),
        picture: promotes && pieceIcon(view, becomes, 64),
      })),
      promotes ? this.cellAt(moves[0].to).getBoundingClientRect() : null,
    );
  }

  /** Choose a piece in hand: it is dropped on the next cell that is pressed. */
  take(letter) {
    this.chosen = null;
    this.inHand = letter;
    this.redraw();
    const moves = this.view.moves.filter(({ drop }) => drop === letter);
    this.tell.heard(`${pieceName(this.view, letter)} in hand${this.reach(moves)}`);
  }

  /** Drop the piece in hand on the cell under a point of the window, if that is legal. */
  dropAt(x, y) {
    const cell = this.cellUnder(x, y);
    if (cell && (this.premoving !== null || this.movesTo(cell).length)) this.press(cell);
  }

  /** Choose a piece, play a move, or start to drag a piece. */
  down(event) {
    const cell = this.cellUnder(event.clientX, event.clientY);
    if (!cell) return;
    if (event.button === 2 && this.premove) this.dropPremove();
    else if (event.button === 2) this.sketch(cell, event.shiftKey + 2 * event.altKey);
    if (event.button !== 0) return;
    event.preventDefault();
    if (this.shapes.length) {
      this.shapes = [];
      this.tell.shapes([]);
    }
    const premoves = this.premoving !== null && !this.chosen && this.isOwn(cell, this.premoving);
    const mine = premoves || (this.playable && this.movesFrom(cell).length > 0);
    const before = this.chosen;
    const plays = this.movesTo(cell).length > 0;
    if (!mine || plays) {
      this.press(cell, event.pointerType === "touch");
      return;
    }
    if (premoves) this.prepare(cell);
    else this.pick(cell);
    this.drag(cell, event, same(before, cell));
  }

  dropPremove() {
    this.chosen = this.premove = null;
    this.redraw();
  }

  /** Draw an arrow or a circle with the right button; drawing it again removes it.  colour: 0 to 3. */
  sketch(from, colour) {
    addEventListener("pointerup", (event) => {
      const to = this.cellUnder(event.clientX, event.clientY);
      if (!to) return;
      const squares = this.nameOf(from) + (same(from, to) ? "" : this.nameOf(to));
      const others = this.shapes.filter((each) => each.word.slice(1) !== squares);
      const kind = same(from, to) ? "csl" : "cal", word = COLOURS[colour] + squares;
      const again = this.shapes.some((each) => each.word === word);
      this.shapes = again ? others : [...others, { kind, word }];
      this.drawPointed();
      this.tell.shapes(this.shapes);
    }, { once: true });
  }

  drag(cell, begun, again) {
    const drawn = this.places.get(this.nameOf(cell));
    const scale = this.picture.getScreenCTM().inverse();
    const move = (event) => {
      const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(scale);
      drawn.parentNode.append(drawn);
      drawn.setAttribute("transform", `translate(${to.x} ${to.y})`);
    };
    track(move, (event) => {
      const target = event.type === "pointerup" ? this.cellUnder(event.clientX, event.clientY) : null;
      if (same(target, cell)) {
        if (again) this.chosen = null;
        this.redraw();
      } else if (target && (this.premoving !== null || this.movesTo(target).length)) {
        this.dropped = this.playable;
        this.press(target);
      } else {
        this.redraw();
      }
    });
  }

  key(event) {
    if (!event.target.dataset.at) return;
    if (document.body.dataset.by === "keyboard" && this.moveCursor(event.key)) {
      // the focus has moved
    } else if (event.key === "Enter" || event.key === " ") {
      this.press(this.cursor ?? [0, 0]);
    } else if (event.key === "Escape") {
      this.dropPremove();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
