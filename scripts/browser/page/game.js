// A game as a tree of moves: the main line, variations, comments, and what an engine said.

import { call } from "./server.js";

/** A position: the move to it (null at the root), its parent, its children (main line first). */
export class Node {
  constructor(parent, move, words) {
    Object.assign(this, { parent, move, words, children: [] });
    Object.assign(this, { view: null, note: null, mark: "", comment: "" });
  }

  /** What a record keeps of the move to this node. */
  plain() {
    const { move, comment, mark, note } = this;
    return { move, comment, mark, note: note?.eval ? { eval: note.eval } : null };
  }

  /** The nodes from the root's child to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }
}

export class Game {
  /** setup: {game, options, start}.  Then `load` before anything else. */
  constructor(setup, players = ["", ""]) {
    this.setup = { options: {}, start: null, ...setup };
    this.players = players;
    this.result = "*";
    this.comment = "";                      // what stands before the first move
    this.ending = null;                     // {result, reason} where the rules did not end it
    this.root = this.current = new Node(null, null, "");
  }

  /** The body of a command about the position at a node. */
  body(node = this.current) {
    return { ...this.setup, moves: node.path.map((each) => each.move) };
  }

  /** The view of a node, asked for once. */
  async load(node = this.current) {
    if (!node.view) {
      const view = await call("position", this.body(node));
      node.view = view;
      node.path.forEach((each, index) => {
        const { words, number, side } = view.played[index];
        Object.assign(each, { words, number, side });
      });
    }
    return node.view;
  }

  /** The child by this move, made where there is none; first: it becomes the main line. */
  child(move, first = false) {
    const node = this.current;
    let found = node.children.find((each) => each.move === move);
    if (!found) {
      const known = node.view?.moves.find((each) => each.move === move);
      found = new Node(node, move, known?.words ?? move);
      node.children.push(found);
    }
    if (first) node.children = [found, ...node.children.filter((each) => each !== found)];
    return found;
  }

  /** Hang a line (see branches.py) below a node. */
  graft(node, line) {
    for (const step of line) {
      const { move, words = move, number, side, comment = "", mark = "", variations = [] } = step;
      const note = step.note ? { ...step.note, seconds: 0, lines: [] } : null;
      const next = new Node(node, move, words);
      Object.assign(next, { number, side, comment, mark, note });
      node.children.push(next);
      for (const variation of variations) this.graft(node, variation);
      node = next;
    }
  }

  /** The game as a line, with its variations. */
  plain(node = this.root) {
    const found = [];
    for (; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      const variations = others.map((other) => [other.plain(), ...this.plain(other)]);
      found.push({ ...main.plain(), variations });
    }
    return found;
  }

  /** The main line through a node, from the root's child to its end. */
  line(node = this.current) {
    const found = node.path;
    for (let next = node.children[0]; next; next = next.children[0]) found.push(next);
    return found;
  }

  get over() {
    const { view } = this.current;
    return this.ending ?? (view && view.result !== "*" ? view : null);
  }
}

/** The Game of a record, as the commands read and replay tell it. */
export function fromRecord({ game, options, start, players, line, comment, result, tags }) {
  const made = new Game({ game, options, start }, players);
  made.graft(made.root, line);
  return Object.assign(made, { comment: comment ?? "", result, tags });
}
