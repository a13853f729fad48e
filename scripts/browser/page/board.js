// The board of any game: drawn from a view (see view.py), played on by clicks, by dragging and by the keyboard.

import { ask, element, svg } from "./dom.js";
import { man, manName } from "./men.js";
import { walkedTree } from "./tree.js";

const CELL = 100, MARGIN = 44;
const STARS = { 15: [3, 7, 11], 19: [3, 9, 15], 13: [3, 6, 9] };
const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const letter = (column) => "abcdefghijklmnopqrstuvwxyz"[column];

/** The name of a cell [column, row], as in a1. */
export const cellName = ([column, row]) => letter(column) + (row + 1);
const same = (one, other) => one && other && one[0] === other[0] && one[1] === other[1];

export class Board {
  /** host: the element to draw in.  onMove(text): a legal move was chosen. */
  constructor(host, onMove) {
    this.host = host;
    this.onMove = onMove;
    this.view = null;
    this.chosen = null;
    this.cursor = null;
  }

  /** Draw a view.  flipped: seen by the other player.  playable: moves may be made.  arrows: [{move, kind}]. */
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
    this.draw();
    if (focused && this.cursor) this.cellAt(this.cursor)?.focus();
    if (before && before.name === view.name && view.played.length === before.played.length + 1) this.animate();
  }

  // ---- drawing ----------------------------------------------------------------------

  /** The middle of a cell on the picture. */
  middle([column, row]) {
    const fromTop = this.view.onTop ? row : this.height - 1 - row;
    const across = this.turned ? this.columns - 1 - column : column;
    return [(across + 0.5) * CELL, ((this.turned ? this.height - 1 - fromTop : fromTop) + 0.5) * CELL];
  }

  get turned() {
    return this.flipped && this.view.kind !== "holes";      // discs fall down, whoever looks
  }

  draw() {
    const { view, columns, height } = this;
    const above = view.onTop !== this.turned ? MARGIN : 12;
    const picture = svg("svg", {
      class: "board", viewBox: `${-MARGIN} ${-above} ${columns * CELL + MARGIN + 12} ${height * CELL + MARGIN + 12}`,
      role: "grid", "aria-label": `${view.name}, ${view.colours[view.side]} to move`, "data-kind": view.kind,
    });
    this.layer = svg("g", { class: "men" });
    this.places = new Map();
    this.ground(picture);
    for (const row of this.rowsFromTop()) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < columns; column++) line.append(this.cell([column, row]));
      picture.append(line);
    }
    this.coordinates(picture);
    picture.append(this.layer, ...this.view.line.map((cell) => this.at(cell, svg("circle", { class: "win", r: 44 }))),
      ...this.arrows.map((arrow) => this.arrow(arrow)));
    this.picture = picture;
    this.host.replaceChildren(picture);
    this.listen(picture);
  }

  rowsFromTop() {
    const rows = [...Array(this.height).keys()];
    return this.view.onTop !== this.turned ? rows : rows.reverse();
  }

  at(cell, drawn) {
    const [x, y] = this.middle(cell);
    return svg("g", { transform: `translate(${x} ${y})` }, drawn);
  }

  ground(picture) {
    const { view: { kind }, columns, height } = this;
    const size = { width: columns * CELL, height: height * CELL };
    if (kind === "holes") picture.append(svg("rect", { class: "rack", rx: 30, ...size }));
    if (kind !== "stones") return;
    let lines = "";
    for (let column = 0; column < columns; column++) lines += `M${(column + 0.5) * CELL} 50v${(height - 1) * CELL}`;
    for (let row = 0; row < height; row++) lines += `M50 ${(row + 0.5) * CELL}h${(columns - 1) * CELL}`;
    picture.append(svg("rect", { class: "wood", rx: 12, ...size }), svg("path", { class: "grid", d: lines }));
    for (const column of STARS[columns] ?? []) {
      for (const row of STARS[height] ?? []) picture.append(this.at([column, row], svg("circle", { class: "star", r: 9 })));
    }
  }

  cell(cell) {
    const { view } = this, [column, row] = cell, content = view.rows[row][column];
    const targets = this.chosen ? this.movesFrom(this.chosen).filter((move) => same(move.to, cell)) : [];
    const can = this.playable && (targets.length || this.movesFrom(cell).length || this.placements(cell).length);
    const name = cellName(cell);
    const notes = [manName(view, content), view.last.some((other) => same(other, cell)) && "last move",
      same(view.check, cell) && "in check", targets.length && "can be reached",
      view.kind !== "holes" && this.playable && this.placements(cell).length && "playable"].filter(Boolean);
    const group = svg("g", {
      class: can ? "cell can" : "cell", role: "gridcell", "data-cell": name, "data-man": content || null,
      "aria-label": `${name}, ${notes.join(", ")}`, "aria-selected": same(this.chosen, cell) ? "true" : null,
      tabindex: same(this.cursor ?? [0, 0], cell) ? 0 : -1,
    });
    const [x, y] = this.middle(cell), box = { x: x - 50, y: y - 50, width: CELL, height: CELL };
    group.append(this.square(cell, box));
    if (view.last.some((other) => same(other, cell)) && ["pieces", "marks", "letters"].includes(view.kind)) {
      group.append(svg("rect", { class: "lastmove", ...box }));
    }
    if (same(this.chosen, cell)) group.append(svg("rect", { class: "chosen", ...box }));
    if (same(view.check, cell)) group.append(svg("rect", { class: "checked", ...box }));
    if (targets.length) group.append(svg("circle", content ? { class: "ring", cx: x, cy: y, r: 44 } : { class: "target", cx: x, cy: y, r: 15 }));
    if (can && view.kind === "discs" && !content) group.append(svg("circle", { class: "target", cx: x, cy: y, r: 12 }));
    if (can && ["stones", "marks"].includes(view.kind)) group.append(svg("g", { class: "ghost", transform: `translate(${x} ${y})` }, man(view.kind, "XO"[view.side])));
    if (content) {
      const drawn = this.at(cell, man(view.kind, content));
      drawn.classList.add("man");
      this.places.set(name, drawn);
      this.layer.append(drawn);
    }
    if (["discs", "holes", "stones"].includes(view.kind) && same(view.last.at(-1), cell)) {
      this.layer.append(this.at(cell, svg("circle", { class: "dot", r: 10 })));
    }
    group.append(svg("rect", { class: "keyboard none", ...box, x: box.x + 4, y: box.y + 4, width: 92, height: 92 }));
    return group;
  }

  square([column, row], box) {
    const kind = this.view.kind;
    if (kind === "stones") return svg("rect", { class: "none", ...box });
    if (kind === "holes") return svg("g", {}, svg("rect", { class: "none", ...box }), svg("circle", { class: "hole", cx: box.x + 50, cy: box.y + 50, r: 40 }));
    const shade = kind === "pieces" ? ((column + row) % 2 ? "light" : "dark") : kind === "discs" ? "green" : "paper";
    return svg("rect", { class: shade, ...box });
  }

  coordinates(picture) {
    const y = this.view.onTop !== this.turned ? -22 : this.height * CELL + 24;
    for (let column = 0; column < this.columns; column++) {
      const label = this.view.kind === "holes" ? String(column + 1) : letter(column);
      picture.append(svg("text", { class: "coordinate", x: this.middle([column, 0])[0], y, "aria-hidden": "true" }, label));
    }
    for (let row = 0; row < this.height && this.view.kind !== "holes"; row++) {
      picture.append(svg("text", { class: "coordinate", x: -22, y: this.middle([0, row])[1], "aria-hidden": "true" }, String(row + 1)));
    }
  }

  arrow({ move, kind }) {
    const known = this.view.moves.find((each) => each.move === move);
    if (!known?.to) return "";
    const [x2, y2] = this.middle(known.to);
    if (!known.from) return svg("g", { class: `arrow ${kind}` }, svg("circle", { cx: x2, cy: y2, r: 36 }));
    const [x1, y1] = this.middle(known.from), length = Math.hypot(x2 - x1, y2 - y1);
    const [ax, ay] = [(x2 - x1) / length, (y2 - y1) / length], [nx, ny] = [x2 - ax * 34, y2 - ay * 34];
    return svg("g", { class: `arrow ${kind}` }, svg("line", { x1, y1, x2: nx, y2: ny }),
      svg("path", { d: `M${x2} ${y2}L${nx - ay * 22} ${ny + ax * 22}L${nx + ay * 22} ${ny - ax * 22}Z` }));
  }

  /** Let the man of the last move come from where it was. */
  animate() {
    const last = this.view.last, drawn = last.length && this.places.get(cellName(last.at(-1)));
    if (!drawn || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const inner = drawn.firstChild, [x, y] = this.middle(last.at(-1));
    let [fromX, fromY] = this.view.kind === "holes" ? [x, -50] : last.length > 1 ? this.middle(last[0]) : [x, y];
    if (this.dropped) [fromX, fromY] = [x, y];
    this.dropped = false;
    const wrapper = svg("g");
    drawn.replaceChildren(wrapper);
    wrapper.append(inner);
    wrapper.animate([{ transform: `translate(${fromX - x}px, ${fromY - y}px)` }, { transform: "none" }],
      { duration: this.view.kind === "holes" ? 90 + (y - fromY) * 0.45 : 140, easing: this.view.kind === "holes" ? "ease-in" : "ease-out" });
  }

  // ---- playing ----------------------------------------------------------------------

  movesFrom(cell) {
    return this.view.moves.filter((move) => same(move.from, cell));
  }

  /** The moves that fill a cell; where discs fall, those of its column. */
  placements(cell) {
    return this.view.moves.filter((move) => !move.from && move.to
      && (this.view.kind === "holes" ? move.to[0] === cell[0] : same(move.to, cell)));
  }

  async press(cell) {
    if (!this.playable) return;
    const reached = this.chosen ? this.movesFrom(this.chosen).filter((move) => same(move.to, cell)) : [];
    const moves = reached.length ? reached : this.placements(cell);
    if (moves.length) {
      this.chosen = null;
      const text = moves.length === 1 ? moves[0].move : await this.choose(moves);
      if (text) this.onMove(text);
      else this.draw();
      return;
    }
    this.chosen = this.movesFrom(cell).length && !same(this.chosen, cell) ? cell : null;
    this.redraw();
  }

  choose(moves) {
    const promotes = moves.every((move) => move.promotion);
    return ask(promotes ? "Promote to" : "Which move?", moves.map(({ move, words, promotion }) => ({
      value: move, label: promotes ? PROMOTIONS[promotion] : words,
      picture: promotes && svg("svg", { viewBox: "-50 -50 100 100", width: 64, height: 64 },
        man("pieces", this.view.side ? promotion : promotion.toUpperCase())),
    })));
  }

  redraw() {
    const focused = this.host.contains(document.activeElement);
    this.draw();
    if (focused && this.cursor) this.cellAt(this.cursor)?.focus();
  }

  cellAt(cell) {
    return this.host.querySelector(`[data-cell="${cellName(cell)}"]`);
  }

  /** The cell [column, row] under a point of the window, or null. */
  cellUnder(x, y) {
    const box = this.picture.getBoundingClientRect(), view = this.picture.viewBox.baseVal;
    const scale = Math.min(box.width / view.width, box.height / view.height);
    const left = box.left + (box.width - view.width * scale) / 2, top = box.top + (box.height - view.height * scale) / 2;
    const across = Math.floor(((x - left) / scale + view.x) / CELL), down = Math.floor(((y - top) / scale + view.y) / CELL);
    if (across < 0 || down < 0 || across >= this.columns || down >= this.height) return null;
    return [this.turned ? this.columns - 1 - across : across, this.rowsFromTop()[down]];
  }

  listen(picture) {
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("keydown", (event) => this.key(event));
    picture.addEventListener("focusin", (event) => {
      const name = event.target.dataset?.cell;
      if (name) this.cursor = [letterIndex(name), Number(name.slice(1)) - 1];
    });
  }

  /** A press chooses a man or plays a move; a man that is dragged is played where it is let go. */
  down(event) {
    const cell = this.cellUnder(event.clientX, event.clientY);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    const mine = this.playable && this.movesFrom(cell).length > 0, before = this.chosen;
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
    const drawn = this.places.get(cellName(cell)), scale = this.picture.getScreenCTM().inverse();
    const move = (event) => {
      const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(scale);
      drawn.parentNode.append(drawn);
      drawn.setAttribute("transform", `translate(${to.x} ${to.y})`);
    };
    const up = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      const target = event.type === "pointerup" ? this.cellUnder(event.clientX, event.clientY) : null;
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
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const cursor = this.cursor ?? [0, 0];
    if (steps[event.key]) {
      const rows = this.rowsFromTop(), [right, down] = steps[event.key];
      const column = cursor[0] + (this.turned ? -right : right), row = rows[rows.indexOf(cursor[1]) + down];
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
