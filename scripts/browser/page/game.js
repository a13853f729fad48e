// A game as a tree of moves: the main line, variations, comments, and what an engine said.

import { call } from "./server.js";

/** A position: the move to it (null at the root), its parent, its children (main line first). */
export class Node {
  constructor(parent, move, words) {
    Object.assign(this, { parent, move, words, children: [] });
    Object.assign(this, { view: null, note: null, mark: "", comment: "" });
    this.kept = {};                         // what else a record says of the move
    this.ending = null;                     // {result, reason} where the rules did not end it
  }

  /** What a record keeps of the move to this node. */
  plain() {
    const { move, comment, mark, note, kept } = this;
    return { ...kept, move, comment, mark, eval: note?.eval ?? "" };
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
    this.drawn = false;                     // its start was drawn by lot
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

  /** The node that moves lead to from the current one; what is new of it waits for `keep`. */
  reach(...moves) {
    let node = this.current;
    for (const move of moves) {
      const known = node.children.find((each) => each.move === move);
      node = known ?? new Node(node, move, move);
    }
    return node;
  }

  /** Hang a node and those before it into the tree; first: it becomes the main line. */
  keep(node, first = false) {
    for (let each = node; each.parent; each = each.parent) {
      const { children } = each.parent;
      if (!children.includes(each)) children.push(each);
    }
    const { parent } = node;
    if (parent && first)
      parent.children = [node, ...parent.children.filter((each) => each !== node)];
  }

  /** Let these players go on from the current node: how it ended before is no news of theirs. */
  resume(players) {
    Object.assign(this, { players, result: "*", tags: {} });
    for (const node of [this.root, ...this.current.path]) node.ending = null;
  }

  /** Hang a line (see records.py) below a node. */
  graft(node, line) {
    for (const step of line) {
      const { move, words = move, number, side, comment = "", mark = "", variations = [] } = step;
      const note = step.note ? { ...step.note, seconds: 0, lines: [] } : null;
      const next = new Node(node, move, words);
      for (const name of ["before", "nags", "said"])
        if (step[name]) next.kept[name] = step[name];
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

  /** How the game ended at the current node: {result, reason}, or null. */
  get over() {
    const { view, ending } = this.current;
    return ending ?? (view.result === "*" ? null : view);
  }

  /** The result of the main line: by a player's word, by the rules, or as its record has it. */
  get outcome() {
    const line = [this.root, ...this.line(this.root)];
    const ended = line.find(({ ending }) => ending);
    const byRules = line.at(-1).view?.result ?? "*";
    return ended?.ending.result ?? (byRules === "*" ? this.result : byRules);
  }
}

/** The Game of a record, as the commands read and replay tell it. */
export function fromRecord({ game, options, start, players, line, comment, said, result, tags }) {
  const made = new Game({ game, options, start }, players);
  made.graft(made.root, line);
  return Object.assign(made, { comment: comment ?? "", said, result, tags });
}
