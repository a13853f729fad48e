// A game as a tree of moves: the main line, variations, comments and evaluations; and the facts
// about games and engines, loaded once: see `games` in interface.py.

import { setting } from "./settings.js";
import { call } from "./transport.js";

/** Return a move's text as the user wants it.  words, native: see notes.py. */
export const wordsOf = ({ words, native }) => (setting("shogi") === "native" && native) || words;

/** Return a result as it is shown: 1–0, ½–½. */
export const resultWords = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");

/** Return the number before a move: 3. or 3… */
export function turnNumber({ number, side }) {
  return number === undefined ? "" : `${number}${side === 0 ? "." : "…"}`;
}

export const facts = { engines: [], examples: [], tournament: false };

/** Return the facts about a game: its title, colours, looks and options. */
export const factsOf = (name) => facts.games.find((game) => game.name === name);

export const rightsOf = (text) => text.split(" ")[2] ?? "";

/** Return the text of a view's pieces in hand or counters, for the command arrange. */
export const handsOf = ({ hands, text }, { counters }) =>
  hands?.flat().join("") ?? (counters ? text.split(" ")[4] : "");

const SHOWN_TAGS = ["event", "ev", "date", "dt", "round", "ro"];
/** Return the seconds of a time such as 1:02:03. */
const seconds = (text) => text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

/** Return seconds as minutes and seconds: 12:03. */
export const minutes = (time) => `${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}`;

/** Return a time without its hours if there are none. */
const short = (text) => text.replace(/^0+:(?=\d+:)/, "");

/** Return [the circles and arrows, the other fields] of a move's field `said`.  A circle or an arrow is
 * {kind: "csl" or "cal", word: its colour's letter and its squares, such as Ge2e4}. */
function shapesIn({ cal = [], csl = [], ...others } = {}) {
  const shapes = Object.entries({ csl, cal }).flatMap(([kind, texts]) =>
    texts.join().match(/[GRBY][^\s,]+/g)?.map((word) => ({ kind, word })) ?? []);
  return [shapes, others];
}

/** Return circles and arrows as parts of the field `said`. */
function sayShapes(shapes) {
  const said = {};
  for (const { kind, word } of shapes) said[kind] = [said[kind] ? `${said[kind][0]},${word}` : word];
  return said;
}

/** Return the words of a link to a command's body: the game, its options, start and moves. */
export function linkWords({ game, options, start, moves = [] }) {
  const named = Object.entries(options ?? {}).map(([name, value]) => [`option.${name}`, value]);
  return { game, ...(start && { start }), ...Object.fromEntries(named),
    ...(moves.length && { moves: moves.join(" ") }) };
}

/** A position: its parent, the move to it (null at the root), its children (main line first). */
export class Node {
  constructor(parent, move, { words = move ?? "", native } = {}) {
    Object.assign(this, { parent, move, children: [], number: undefined, side: undefined });
    this.spelt = { words, native };
    Object.assign(this, { view: null, note: null, mark: "", comment: "", shapes: [] });
    this.kept = {}; // other fields of the move in its record
    this.ending = null; // {result, reason} if the game ended here, but not by the rules
    this.clocks = null; // in a match: the seconds left for each side when this position arose
    this.takenBack = false;
  }

  /** Return the move to this node as plain data: see records.py. */
  plain() {
    const { move, spelt, number, side, comment, mark, ending, shapes } = this;
    const { lines, ...note } = this.note ?? {}; // lines of other moves aren't saved
    return { ...this.kept, move, ...spelt, number, side, comment, mark, eval: note.eval ?? "",
      said: { ...this.kept.said, ...sayShapes(shapes) },
      ...(this.note && { note }), ...(ending && { ending }) };
  }

  get words() {
    return wordsOf(this.spelt);
  }

  /** Return the nodes from the root's child to this one. */
  get path() {
    const found = [];
    for (let node = this; node.parent; node = node.parent) found.push(node);
    return found.reverse();
  }

  /** Return the time that the move to this node took, as its record has it, or "". */
  get time() {
    const { clk, emt } = this.kept.said ?? {};
    if (emt) return emt[0].includes(":") ? short(emt[0]) : `${emt[0]} s`;
    const former = this.path.findLast((node) => node !== this && node.side === this.side)?.kept.said?.clk;
    const spent = clk && former ? seconds(former[0]) - seconds(clk[0]) : -1;
    return spent < 0 ? "" : minutes(Math.round(spent));
  }

  /** Return how the game ended here: {result, reason}, or null. */
  get over() {
    return this.ending ?? (this.view && this.view.result !== "*" ? this.view : null);
  }

  /** Set the evaluation of a finished position from its result. */
  settle() {
    const { result } = this.over;
    const share = { "1-0": 1, "0-1": 0 }[result] ?? 0.5;
    this.note = { share, score: result.replace("1/2-1/2", "½"), line: [] };
  }
}

const newId = () => crypto.randomUUID?.() ?? String(Math.random());

export class Game {
  /** setup: {game, options, start}.  Call `load` before anything else. */
  constructor(setup, players = ["", ""]) {
    this.setup = { options: {}, start: null, ...setup };
    this.id = newId();
    Object.assign(this, { players, result: "*", tags: {}, said: {}, comment: "", review: null });
    this.match = null; // {sides, time, clocks, waiting} if the page plays the game: see play.js
    this.inFile = null; // {key: the file's, at: its index there}, if it is one of several games
    this.filed = null; // the record that was read from a file, without the user's changes
    this.root = this.current = new Node(null, null);
  }

  get facts() {
    return factsOf(this.setup.game);
  }

  /** Return the body of a command about the position at a node. */
  body(node = this.current) {
    return { ...this.setup, moves: node.path.map((each) => each.move) };
  }

  /** Return the view of a node; ask the server the first time. */
  async load(node = this.current) {
    if (!node.view) this.show(node, await call("position", this.body(node)));
    return node.view;
  }

  /** Set the view of a node from the server's answer. */
  show(node, view) {
    const { board } = this.root.view ?? view; // the same in all positions
    node.view = { ...this.facts, board, moves: [], last: [], line: [], ...view };
    node.path.forEach((each, index) => {
      if (view.turns) [each.number, each.side] = view.turns[index];
    });
  }

  /** Return the node that moves lead to from `node`.  Nodes that are new join the tree only by keep().
   * moves: texts, or {move, words}, which may have {number, side}. */
  reach(moves, node = this.current) {
    for (const each of moves) {
      const move = each.move ?? each;
      const known = node.children.find((child) => child.move === move);
      const named = node.view?.moves.find((legal) => legal.move === move);
      node = known ?? new Node(node, move, each.words ? each.spelt ?? each : named);
      node.number ??= each.number;
      node.side ??= each.side;
    }
    return node;
  }

  /** Return the deepest node of the tree that some moves lead to from a node, by default the root. */
  known([move, ...rest], node = this.root) {
    const ways = node.children.filter((child) => child.move === move).map((child) => this.known(rest, child));
    return ways.length < 2 ? ways[0] ?? node
      : ways.reduce((one, other) => (other.path.length > one.path.length ? other : one));
  }

  /** Return the node that the user's next move follows.  A file's main line must stay as it is: at its
   * end, return another node for the same last move, where a variation can begin. */
  get stem() {
    const { current, filed, root } = this, { parent, move, spelt, number, side, view } = current;
    if (!filed?.line.length || !parent || this.through(root).at(-1) !== current) return current;
    const same = (child) => child !== current && child.move === move;
    return parent.children.find(same)
      ?? Object.assign(new Node(parent, move, spelt), { number, side, view });
  }

  /** Add a node and its ancestors to the tree.  first: make the node its parent's first child. */
  keep(node, first = false) {
    for (let each = node; each.parent; each = each.parent) {
      const found = each.parent.children.filter(({ takenBack }) => !takenBack);
      each.parent.children = found.includes(each) ? found : [...found, each];
    }
    const { parent } = node;
    if (parent && first)
      parent.children = [node, ...parent.children.filter((each) => each !== node)];
  }

  promote(node) {
    for (const each of node.path) {
      this.keep(each, true);
      const { parent, move } = each;
      parent.children = parent.children.filter((other) => other === each || other.move !== move
        || other.children.length || other.comment || other.mark);
    }
  }

  /** Return a player's title, name and rating, as the record has them, or the colour. */
  named(side) {
    const { tags, facts: { colours } } = this, colour = colours[side];
    const rating = tags[`${colour}Elo`] ?? tags[`${colour[0]}R`];
    const words = [tags[`${colour}Title`], this.players[side] || colour, rating && `(${rating})`];
    return words.filter((text) => text && text !== "-").join(" ");
  }

  /** Return the event, the date and the round, as the record has them. */
  get caption() {
    const tags = Object.entries(this.tags).filter(([name, text]) =>
      SHOWN_TAGS.includes(name.toLowerCase()) && /[^?.]/.test(text));
    return tags.map(([, text]) => text).join(" · ");
  }

  /** Return a player's clock at the current node, as the record has it, or "". */
  clockOf(side) {
    const said = this.current.path.findLast((node) => node.side === side && node.kept.said?.clk);
    return said ? short(said.kept.said.clk[0]) : "";
  }

  /** Return the moves to the current node as a new game, whose comment says where it comes from. */
  branch() {
    const { setup, current } = this, made = new Game(setup);
    const end = made.reach(current.path, made.root);
    made.keep(end);
    made.current = end;
    if (current.view) made.show(end, current.view);
    const number = current.number ? ` after ${turnNumber(current)} ${current.words}` : "";
    made.comment = `From ${this.title}${number}`;
    return made;
  }

  get title() {
    const names = this.players.map((name, side) => name || this.facts.colours[side]);
    const result = this.outcome === "*" ? "" : ` ${this.outcome}`;
    return `${names.join(" – ")}${result}`;
  }

  /** Do moves, comments or marks differ from those in the file that the game is from? */
  get isChanged() {
    if (!this.filed) return false;
    const shown = (name, value) => (["note", "eval", "result", "review"].includes(name) ? null : value);
    const [now, filed] = [this, fromRecord(this.filed)].map((game) => JSON.stringify(game.plain(), shown));
    return now !== filed;
  }

  /** Add a line (see records.py) below a node. */
  graft(node, line) {
    for (const step of line) {
      const { move, words, native, variations = [], note, view, before, nags, said, ...more } = step;
      const next = new Node(node, move, { words, native });
      const [shapes, others] = shapesIn(said);
      next.kept = { ...(before && { before }), ...(nags && { nags }), said: others };
      delete more.eval; // the note holds it
      Object.assign(next, { shapes }, more, note && { note: { line: [], ...note } });
      if (view) this.show(next, view);
      node.children.push(next);
      for (const variation of variations) this.graft(node, variation);
      node = next;
    }
  }

  /** Return the moves below a node as a line, variations included. */
  line(node = this.root) {
    const found = [], kept = ({ children }) => children.filter(({ takenBack }) => !takenBack);
    for (; kept(node).length; [node] = kept(node)) {
      const [main, ...others] = kept(node);
      const variations = others.map((other) => [other.plain(), ...this.line(other)]);
      found.push({ ...main.plain(), ...(variations.length && { variations }) });
    }
    return found;
  }

  /** Return the game as plain data for fromRecord and the command write. */
  plain() {
    const { setup, players, comment, tags, review, root } = this;
    const { note } = root.plain(), said = { ...this.said, ...sayShapes(root.shapes) };
    return { ...setup, players, comment, tags, said, review, note, ending: root.ending,
      result: this.outcome, line: this.line() };
  }

  /** Return the line through a node, from the root's child to its end. */
  through(node = this.current) {
    const found = node.path;
    for (let next = node.children[0]; next; next = next.children[0]) found.push(next);
    return found;
  }

  /** Return how the game ended at the current node: {result, reason}, or null. */
  get over() {
    return this.current.over;
  }

  /** Return the main line's result: by resignation or time, by the rules, or from the record. */
  get outcome() {
    const all = [this.root, ...this.through(this.root)];
    const end = all.findIndex(({ takenBack }) => takenBack), line = end < 0 ? all : all.slice(0, end);
    const ended = line.find(({ ending }) => ending);
    const byRules = line.at(-1).view?.result ?? "*";
    return ended?.ending.result ?? (byRules === "*" ? this.result : byRules);
  }
}

/** Return the Game of a record, as the commands read and replay return it or as it was saved. */
export function fromRecord(record) {
  const { game, options, start, players, line, note, ending, view } = record;
  const made = new Game({ game, options: options ?? {}, start: start ?? null }, players);
  for (const name of ["comment", "result", "tags", "said", "review"])
    made[name] = record[name] ?? made[name];
  [made.root.shapes, made.said] = shapesIn(made.said);
  if (note) made.root.note = { line: [], ...note };
  made.root.ending = ending ?? null;
  if (view) made.show(made.root, view);
  made.graft(made.root, line);
  return made;
}
