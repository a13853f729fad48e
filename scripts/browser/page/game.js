// A game as a tree of moves: the main line, variations, comments and evaluations; and the facts
// about games and engines, loaded once: see `games` in interface.py.

import { call } from "./transport.js";

export const facts = { engines: [], examples: [], tournament: false };

/** Store the facts from the server or from the page itself. */
export function useFacts(given) {
  Object.assign(facts, given);
}

/** Return the facts about a game: its title, colours, looks and options. */
export const factsOf = (name) => facts.games.find((game) => game.name === name);

/** Return the castling rights in a FEN. */
export const rightsOf = (text) => text.split(" ")[2] ?? "";

/** Return the text of a view's pieces in hand or counters, for the command arrange. */
export const handsOf = ({ hands, text }, { counters }) =>
  hands?.join("") ?? (counters ? text.split(" ")[4] : "");

/** A position: its parent, the move to it (null at the root), its children (main line first). */
export class Node {
  constructor(parent, move, words) {
    Object.assign(this, { parent, move, words, children: [], number: undefined, side: undefined });
    Object.assign(this, { view: null, note: null, mark: "", comment: "", shapes: [] });
    this.kept = {}; // other fields of the move in its record
    this.ending = null; // {result, reason} if the game ended here, but not by the rules
  }

  /** Return the move to this node as plain data: see records.py. */
  plain() {
    const { move, words, number, side, comment, mark, ending, shapes } = this;
    const { lines, ...note } = this.note ?? {}; // lines of other moves aren't saved
    return { ...this.kept, move, words, number, side, comment, mark, eval: note.eval ?? "",
      ...(this.note && { note }), ...(ending && { ending }), ...(shapes.length && { shapes }) };
  }

  /** Return the nodes from the root's child to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
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
    this.among = 1; // number of games in the open file that it is from
    this.root = this.current = new Node(null, null, "");
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
    node.view = { ...this.facts, moves: [], last: [], line: [], ...view };
    node.path.forEach((each, index) => {
      if (view.turns) [each.number, each.side] = view.turns[index];
    });
  }

  /**
   * Return the node that moves lead to from `node`.  New nodes join the tree with `keep`.
   * moves: texts, or {move, words}, which may have {number, side}.
   */
  reach(moves, node = this.current) {
    for (const each of moves) {
      const move = each.move ?? each;
      const known = node.children.find((child) => child.move === move);
      const named = node.view?.moves.find((legal) => legal.move === move);
      node = known ?? new Node(node, move, each.words ?? named?.words ?? move);
      node.number ??= each.number;
      node.side ??= each.side;
    }
    return node;
  }

  /** Return the deepest node of the tree that some moves lead to from the root. */
  known(moves) {
    let node = this.root;
    for (const move of moves) {
      const next = node.children.find((child) => child.move === move);
      if (!next) break;
      node = next;
    }
    return node;
  }

  /** Add a node and its ancestors to the tree.  first: make the node its parent's first child. */
  keep(node, first = false) {
    for (let each = node; each.parent; each = each.parent) {
      const { children } = each.parent;
      if (!children.includes(each)) children.push(each);
    }
    const { parent } = node;
    if (parent && first)
      parent.children = [node, ...parent.children.filter((each) => each !== node)];
  }

  /** Make the line to a node the main line. */
  promote(node) {
    for (const each of node.path) this.keep(each, true);
  }

  /** Let these players go on from the current node, as a game of its own without result and tags. */
  resume(players) {
    Object.assign(this, { id: newId(), players, result: "*", tags: {}, review: null });
    for (const node of [this.root, ...this.current.path]) node.ending = null;
  }

  /** Add a line (see records.py) below a node. */
  graft(node, line) {
    for (const step of line) {
      const { move, words = move, variations = [], note, view, before, nags, said, ...more } = step;
      const next = new Node(node, move, words);
      next.kept = { ...(before && { before }), ...(nags && { nags }), ...(said && { said }) };
      delete more.eval; // the note holds it
      Object.assign(next, more, note && { note: { line: [], ...note } });
      if (view) this.show(next, view);
      node.children.push(next);
      for (const variation of variations) this.graft(node, variation);
      node = next;
    }
  }

  /** Return the moves below a node as a line, variations included. */
  line(node = this.root) {
    const found = [];
    for (; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      const variations = others.map((other) => [other.plain(), ...this.line(other)]);
      found.push({ ...main.plain(), ...(variations.length && { variations }) });
    }
    return found;
  }

  /** Return the game as plain data for fromRecord and the commands write and report. */
  plain() {
    const { setup, players, comment, tags, said, review, root } = this;
    const { note } = root.plain();
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
    const line = [this.root, ...this.through(this.root)];
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
  if (note) made.root.note = { line: [], ...note };
  made.root.ending = ending ?? null;
  if (view) made.show(made.root, view);
  made.graft(made.root, line);
  return made;
}
