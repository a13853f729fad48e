// A board of cells, drawn from a view (see view.py) as an SVG whose cells are 100 units wide.

import { svg } from "./dom.js";
import { drawPiece, firstOf, pieceName } from "./pieces.js";
import { setting } from "./settings.js";

const CELL = 100;
// Hexagons: the distance between rows, the height of a cell, and the corners around a centre.
const HEX_STEP = 86.6, HEX_HEIGHT = 115.5;
const CORNERS = [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]];
const EDGE = 12; // margin on the sides without letters and numbers
const STARS = { 15: [3, 7, 11], 19: [3, 9, 15], 13: [3, 6, 9] };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
export const COLOURS = "GRBY"; // of arrows: green, red, blue, yellow
const RANKS = { a: "一", b: "二", c: "三", d: "四", e: "五", f: "六", g: "七", h: "八", i: "九" };
const GHOSTLY = ["wood", "paper"]; // on these, hovering shows the piece that a click places

/** Return the cell [column, row] of its element on a board. */
export const cellOf = ({ dataset }) => dataset.at.split(",").map(Number);
export const same = (one, other) => one && other && one[0] === other[0] && one[1] === other[1];

/** The drawing of a board; board.js adds mouse and keyboard. */
export class Grid {
  constructor(host) {
    this.host = host;
    this.view = null;
    this.flipped = this.playable = false;
    this.chosen = null;
    this.premove = null; // {from, to, drop}: to be played as soon as it is legal
    this.cursor = null; // the cell with the keyboard's focus
    this.arrows = []; // {move, kind}: the engines'
    this.shapes = []; // {kind, word}: the user's own and the record's, see game.js
  }

  /** The cell whose piece is about to move, or null.  Setting it clears the jumps and `inHand`. */
  get chosen() {
    return this.chosenCell;
  }

  set chosen(cell) {
    this.chosenCell = cell;
    this.jumps = [];
    this.inHand = null; // the letter of the piece that is about to be dropped
  }

  /** Draw a view with a board; the keyboard's focus stays on the board. */
  show(view) {
    Object.assign(this, { view, columns: view.rows[0].length, height: view.rows.length });
    if (this.cursor) {
      const [column, row] = this.cursor; // may lie outside this board
      this.cursor = [Math.min(column, this.columns - 1), Math.min(row, this.height - 1)];
    }
    this.redraw();
  }

  redraw() {
    const focused = this.host.contains(document.activeElement);
    this.draw();
    if (focused && this.cursor) this.cellAt(this.cursor)?.focus();
  }

  /** Move the keyboard's focus by an arrow key.  Return false for any other key. */
  moveCursor(key) {
    if (!STEPS[key]) return false;
    const rows = this.rowsFromTop(), [column, row] = this.cursor ?? [0, 0];
    const [right, down] = STEPS[key];
    const next = [column + (this.turned ? -right : right), rows[rows.indexOf(row) + down]];
    const cell = this.cellAt(next);
    if (cell) {
      this.cellAt([column, row]).setAttribute("tabindex", -1);
      this.cursor = next;
      cell.setAttribute("tabindex", 0);
      cell.focus();
    }
    return true;
  }

  /** Return the centre of a cell in the picture. */
  middle([column, row]) {
    const fromTop = this.view.looks.rank_one_on_top ? row : this.height - 1 - row;
    const across = this.turned ? this.columns - 1 - column : column;
    const down = this.turned ? this.height - 1 - fromTop : fromTop;
    if (this.hexagonal)
      return [(across + 0.5 + down / 2) * CELL, down * HEX_STEP + HEX_HEIGHT / 2];
    return [(across + 0.5) * CELL, (down + 0.5) * CELL];
  }

  nameOf([column, row]) {
    return this.view.board.names[row][column] || `${column},${row}`;
  }

  get hexagonal() {
    return this.view.looks.ground === "hexagons";
  }

  /** Return [width, height] of the cells in the picture. */
  get extent() {
    const { columns, height } = this;
    if (!this.hexagonal) return [columns * CELL, height * CELL];
    return [(columns + (height - 1) / 2) * CELL, (height - 1) * HEX_STEP + HEX_HEIGHT];
  }

  /** Return the shape of a cell, `inset` units smaller on each side. */
  shape(cell, kind, inset = 0) {
    const [x, y] = this.middle(cell);
    if (!this.hexagonal) {
      const side = CELL - 2 * inset;
      return svg("rect", { class: kind, x: x - side / 2, y: y - side / 2, width: side, height: side });
    }
    const points = CORNERS.map(([right, down]) => [
      x + right * (CELL / 2 - inset), y + down * (HEX_HEIGHT / 2 - inset)]);
    return svg("path", { class: kind, d: `M${points.join("L")}Z` });
  }

  get turned() {
    return this.flipped && this.view.entry !== "drop"; // discs fall down for both players
  }

  get lettersOnTop() {
    return this.view.looks.rank_one_on_top !== this.turned;
  }

  /** Return the height of letters and numbers: the same on screen for all sizes of boards. */
  get print() {
    return 3.2 * this.columns;
  }

  draw() {
    const { view, columns, extent } = this;
    const margin = 1.45 * this.print, { board } = view;
    const [left, side] = [board.rows, board.columns].map(({ length }) => (length ? margin : EDGE));
    const above = this.lettersOnTop ? side : EDGE;
    const size = [extent[0] + left + EDGE, extent[1] + side + EDGE];
    const picture = svg("svg", {
      class: this.turned ? "board turned" : "board",
      viewBox: `${-left} ${-above} ${size[0]} ${size[1]}`,
      role: "grid",
      "aria-label": `${view.title}, ${view.colours[view.side]} to move`,
      "data-ground": view.looks.ground,
    });
    this.layer = svg("g", { class: "pieces" });
    this.places = new Map();
    this.ground(picture);
    for (const row of this.rowsFromTop()) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < columns; column++)
        if (this.content([column, row]) !== null) line.append(this.cell([column, row]));
      picture.append(line);
    }
    this.coordinates(picture);
    picture.append(
      this.layer,
      ...this.view.line.map((cell) => this.at(cell, svg("circle", { class: "win", r: 44 }))),
      this.pointed = svg("g"),
    );
    this.drawPointed();
    this.picture = picture;
    this.host.replaceChildren(picture);
    this.host.style.setProperty("--ratio", size[0] / size[1]);
  }

  /** Draw the arrows and circles over the board: the engines' and the user's own. */
  drawPointed() {
    this.pointed.replaceChildren(
      ...this.arrows.map(({ kind, ...each }) => {
        const { from, to } = each.to ? each : this.view.moves.find(({ move }) => move === each.move) ?? {};
        return to ? this.arrow(from, to, kind) : "";
      }),
      ...this.shapes.map(({ word }) => {
        const [to, from] = this.cellsOf(word.slice(1)).reverse();
        return to ? this.arrow(from, to, `own own${COLOURS.indexOf(word[0])}`) : "";
      }));
  }

  /** Return the cells of one or two names that are written together; none if they aren't names. */
  cellsOf(text) {
    const names = this.view.board.names.flatMap((row, y) => row.map((name, x) => [name, [x, y]]));
    const cells = new Map(names.filter(([name]) => name));
    if (cells.has(text)) return [cells.get(text)];
    const first = [...cells.keys()].find((name) => text.startsWith(name) && cells.has(text.slice(name.length)));
    return first ? [cells.get(first), cells.get(text.slice(first.length))] : [];
  }

  rowsFromTop() {
    const rows = [...Array(this.height).keys()];
    return this.lettersOnTop ? rows : rows.reverse();
  }

  at(cell, drawn) {
    const [x, y] = this.middle(cell);
    return svg("g", { transform: `translate(${x} ${y})` }, drawn);
  }

  ground(picture) {
    const { columns, height } = this;
    const { ground } = this.view.looks;
    const size = { width: columns * CELL, height: height * CELL };
    if (ground === "rack") picture.append(svg("rect", { class: "rack", rx: 30, ...size }));
    if (ground !== "wood") return;
    const own = this.view.looks.lines;
    const lines = own.length ? own : [...Array(columns).keys()].map((at) => [[at, 0], [at, height - 1]])
      .concat([...Array(height).keys()].map((at) => [[0, at], [columns - 1, at]]));
    const ends = lines.map((line) => line.map((cell) => this.middle(cell).join(" ")).join("L"));
    picture.append(
      svg("rect", { class: "wood", rx: 12, ...size }),
      svg("path", { class: "grid", d: `M${ends.join("M")}` }),
    );
    for (const column of own.length ? [] : STARS[columns] ?? []) {
      for (const row of STARS[height] ?? [])
        picture.append(this.at([column, row], svg("circle", { class: "star", r: 9 })));
    }
  }

  cell(cell) {
    const { view } = this, { looks } = view;
    const content = this.content(cell);
    const targets = this.movesTo(cell);
    const can = this.playable
      && (targets.length || this.movesFrom(cell).length || this.placements(cell).length);
    const group = svg("g", {
      class: can ? "cell can" : "cell",
      role: "gridcell",
      "data-cell": this.nameOf(cell),
      "data-at": cell.join(),
      "data-piece": content || null,
      "aria-label": this.words(cell, targets.length > 0),
      "aria-selected": same(this.chosen, cell) ? "true" : null,
      tabindex: same(this.cursor ?? [0, 0], cell) ? 0 : -1,
    });
    const [x, y] = this.middle(cell);
    const contains = (cells) => cells.some((other) => same(other, cell));
    const marks = {
      marked: contains(view.board.marked),
      lastmove: contains(view.last) && looks.pieces !== "discs",
      chosen: contains([this.chosen, ...this.jumps]),
      premoved: contains([this.premove?.from, this.premove?.to]),
      checked: same(view.check, cell),
    };
    group.append(this.square(cell));
    if (view.board.numbered && view.board.names[cell[1]][cell[0]])
      group.append(svg("text", { class: "number", x: x - 44, y: y - 30 }, this.nameOf(cell)));
    for (const [kind, applies] of Object.entries(marks))
      if (applies) group.append(this.shape(cell, kind));
    const spot = { cx: x, cy: y };
    if (targets.length && content) group.append(svg("circle", { class: "ring", ...spot, r: 44 }));
    else if (targets.length) group.append(svg("circle", { class: "target", ...spot, r: 15 }));
    if (can && looks.ground === "cloth" && !content) {
      group.append(svg("circle", { class: "target", ...spot, r: 12 }));
    }
    if (can && view.entry === "place" && GHOSTLY.includes(looks.ground)) {
      const ghost = this.at(cell, drawPiece(view, firstOf(view, view.side)));
      ghost.classList.add("ghost");
      group.append(ghost);
    }
    if (content) {
      const drawn = this.at(cell, drawPiece(view, content));
      drawn.classList.add("piece");
      this.places.set(this.nameOf(cell), drawn);
      this.layer.append(drawn);
    }
    if (looks.pieces === "discs" && same(view.last.at(-1), cell)) {
      this.layer.append(this.at(cell, svg("circle", { class: "dot", r: 10 })));
    }
    group.append(this.shape(cell, "keyboard none", 4));
    return group;
  }

  /** Return the description of a cell, for screen readers. */
  words(cell, reached) {
    const { view } = this;
    const notes = [
      pieceName(view, this.content(cell)),
      view.last.some((other) => same(other, cell)) && "last move",
      same(view.check, cell) && "in check",
      reached && "possible target",
      view.entry !== "drop" && this.playable && this.placements(cell).length && "playable",
    ];
    return `${this.nameOf(cell)}, ${notes.filter(Boolean).join(", ")}`;
  }

  square(cell) {
    const { ground } = this.view.looks, [cx, cy] = this.middle(cell);
    const none = this.shape(cell, "none");
    if (ground === "wood") return none;
    if (ground === "rack")
      return svg("g", {}, none, svg("circle", { class: "hole", cx, cy, r: 40 }));
    const shades = { chequers: (cell[0] + cell[1]) % 2 ? "light" : "dark", cloth: "green",
      hexagons: "hexagon" };
    return this.shape(cell, shades[ground] ?? "paper");
  }

  coordinates(picture) {
    const out = 0.72 * this.print;
    const put = (x, y, text) => {
      const place = { class: "coordinate", x, y, "font-size": this.print, "aria-hidden": "true" };
      picture.append(svg("text", place, text));
    };
    const { columns, rows } = this.view.board, native = setting("shogi") === "native" && this.view.hands;
    const y = this.lettersOnTop ? -out : this.extent[1] + out;
    columns.forEach((label, column) => put(this.middle([column, 0])[0], y, label));
    rows.forEach((label, row) => {
      const [x, middle] = this.middle([this.turned ? this.columns - 1 : 0, row]);
      put(x - CELL / 2 - out, middle, (native && RANKS[label]) || label);
    });
  }

  /** Return an arrow, or a circle if there is no start. */
  arrow(start, end, kind) {
    const [x2, y2] = this.middle(end);
    const group = svg("g", { class: `arrow ${kind}` });
    if (!start) {
      group.append(svg("circle", { cx: x2, cy: y2, r: 36 }));
      return group;
    }
    const [x1, y1] = this.middle(start);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [ax, ay] = [(x2 - x1) / length, (y2 - y1) / length];
    const [nx, ny] = [x2 - ax * 34, y2 - ay * 34];
    const sides = `${nx - ay * 22} ${ny + ax * 22}L${nx + ay * 22} ${ny - ax * 22}`;
    group.append(
      svg("line", { x1, y1, x2: nx, y2: ny }),
      svg("path", { d: `M${x2} ${y2}L${sides}Z` }),
    );
    return group;
  }

  /** Animate the piece of the last move from its former place. */
  animate() {
    const last = this.view.last;
    const drawn = last.length && this.places.get(this.nameOf(last.at(-1)));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (this.view.looks.explodes && last.length && !drawn) this.explode(last.at(-1));
    if (!drawn) return;
    const [x, y] = this.middle(last.at(-1));
    const falls = this.view.entry === "drop";
    const [fromX, fromY] = falls ? [x, -50] : this.dropped ? [x, y] : this.middle(last[0]);
    this.dropped = false;
    const wrapper = svg("g", {}, drawn.firstChild);
    drawn.append(wrapper);
    const from = `translate(${fromX - x}px, ${fromY - y}px)`;
    wrapper.animate([{ transform: from }, { transform: "none" }], {
      duration: falls ? 90 + (y - fromY) * 0.45 : 140,
      easing: falls ? "ease-in" : "ease-out",
    });
  }

  /** Show that a capture on a cell has exploded the pieces around it. */
  explode(cell) {
    const blast = svg("circle", { class: "blast", r: 150 });
    this.layer.append(this.at(cell, blast));
    const frames = [{ transform: "scale(.1)", opacity: 1 }, { transform: "none", opacity: 0 }];
    blast.animate(frames, { duration: 450, easing: "ease-out" });
  }

  /** Return the piece on a cell: "" if it is empty, null if it isn't part of the board. */
  content([column, row]) {
    return this.view.rows[row][column];
  }

  /** Return the width of a cell on screen, in pixels. */
  get cellSize() {
    const box = this.picture.getBoundingClientRect();
    return (box.width / this.picture.viewBox.baseVal.width) * CELL;
  }

  // ---- cells and moves --------------------------------------------------------------

  movesFrom(cell) {
    return this.view.moves.filter((move) => same(move.from, cell));
  }

  /** Return the moves to a cell.  Of the chosen piece: those that begin with the jumps made so far and
   * then jump to or end on the cell.  Of the piece in hand: the drops there. */
  movesTo(cell) {
    const { chosen, jumps, inHand } = this;
    if (inHand)
      return this.view.moves.filter(({ drop, to }) => drop === inHand && same(to, cell));
    if (!chosen) return [];
    const begun = this.movesFrom(chosen).filter(({ via = [] }) =>
      jumps.every((jump, index) => same(jump, via[index])));
    return begun.filter(({ to, via = [] }) => same(via[jumps.length], cell)
      || (same(to, cell) && (!same(to, chosen) || via.length === jumps.length)));
  }

  /** Return the moves that put a piece on a cell or, if discs fall, into its column. */
  placements(cell) {
    const falls = this.view.entry === "drop";
    return this.view.moves.filter(({ from, drop, to }) => to && !from && !drop
      && (falls ? to[0] === cell[0] : same(to, cell)));
  }

  cellAt(cell) {
    return this.host.querySelector(`[data-at="${cell}"]`);
  }

  /** Return the cell [column, row] under a point of the window, or null. */
  cellUnder(x, y) {
    const found = document.elementFromPoint(x, y)?.closest("[data-at]");
    return this.host.contains(found) ? cellOf(found) : null;
  }
}
