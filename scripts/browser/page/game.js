// A game as a tree of moves: the main line, variations, comments, and what an engine said.

import { factsOf } from "./facts.js";
import { call } from "./server.js";

const SETTLED = 1e9; // seconds of thought that no search exceeds: what is known for certain

/** A position: the move to it (null at the root), its parent, its children (main line first). */
export class Node {
  constructor(parent, move, words) {
    Object.assign(this, { parent, move, words, children: [], number: undefined, side: undefined });
    Object.assign(this, { view: null, note: null, mark: "", comment: "", shapes: [] });
    this.kept = {}; // what else a record says of the move
    this.ending = null; // {result, reason} where the rules did not end it
  }

  /** What is kept of the move to this node: see records.py. */
  plain() {
    const { move, words, number, side, comment, mark, lost, ending, shapes } = this;
    const { lines, ...note } = this.note ?? {}; // the lines of other moves are not kept
    return { ...this.kept, move, words, number, side, comment, mark, lost, eval: note.eval ?? "",
      ...(this.note && { note }), ...(ending && { ending }), ...(shapes.length && { shapes }) };
  }

  /** The nodes from the root's child to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }

  /** How it ended here: {result, reason}, or null. */
  get over() {
    return this.ending ?? (this.view && this.view.result !== "*" ? this.view : null);
  }

  /** What a finished position is worth is known without an engine. */
  settle() {
    const { result } = this.over;
    const share = { "1-0": 1, "0-1": 0 }[result] ?? 0.5;
    this.note = { share, score: result.replace("1/2-1/2", "½"), seconds: SETTLED, line: [] };
  }
}

export class Game {
  /** setup: {game, options, start}.  Then `load` before anything else. */
  constructor(setup, players = ["", ""]) {
    this.setup = { options: {}, start: null, ...setup };
    this.id = crypto.randomUUID?.() ?? String(Math.random());
    Object.assign(this, { players, result: "*", tags: {}, said: {}, comment: "", review: null });
    this.drawn = false; // its start was drawn by lot
    this.root = this.current = new Node(null, null, "");
  }

  get facts() {
    return factsOf(this.setup.game);
  }

  /** The body of a command about the position at a node. */
  body(node = this.current) {
    return { ...this.setup, moves: node.path.map((each) => each.move) };
  }

  /** The view of a node, asked for once. */
  async load(node = this.current) {
    if (!node.view) this.show(node, await call("position", this.body(node)));
    return node.view;
  }

  /** What the server told of the position at a node. */
  show(node, view) {
    node.view = { ...this.facts, moves: [], last: [], line: [], notes: [], ...view };
    node.path.forEach((each, index) => {
      if (view.turns) [each.number, each.side] = view.turns[index];
    });
  }

  /**
   * The node that moves lead to from `node`; what is new of it waits for `keep`.
   * moves: texts, or {move, words}.
   */
  reach(moves, node = this.current) {
    for (const each of moves) {
      const move = each.move ?? each;
      const known = node.children.find((child) => child.move === move);
      const named = node.view?.moves.find((legal) => legal.move === move);
      node = known ?? new Node(node, move, each.words ?? named?.words ?? move);
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

  /** Make the line to a node the main line, or a variation the first of its place. */
  promote(node) {
    for (const each of node.path) this.keep(each, true);
  }

  /** Let these players go on from the current node: how it ended before is no news of theirs. */
  resume(players) {
    Object.assign(this, { players, result: "*", tags: {}, review: null });
    for (const node of [this.root, ...this.current.path]) node.ending = null;
  }

  /** Hang a line (see records.py) below a node. */
  graft(node, line) {
    for (const step of line) {
      const { move, words = move, variations = [], note, view, before, nags, said, ...more } = step;
      const next = new Node(node, move, words);
      next.kept = { ...(before && { before }), ...(nags && { nags }), ...(said && { said }) };
      delete more.eval; // it is part of the note
      Object.assign(next, more, note && { note: { seconds: 0, line: [], ...note } });
      if (view) this.show(next, view);
      node.children.push(next);
      for (const variation of variations) this.graft(node, variation);
      node = next;
    }
  }

  /** The moves as a line, with its variations. */
  line(node = this.root) {
    const found = [];
    for (; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      const variations = others.map((other) => [other.plain(), ...this.line(other)]);
      found.push({ ...main.plain(), ...(variations.length && { variations }) });
    }
    return found;
  }

  /** All that makes it again by fromRecord, and what the commands write and report take. */
  plain() {
    const { setup, players, comment, tags, said, review, drawn, root } = this;
    const { note } = root.plain();
    return { ...setup, players, comment, tags, said, review, drawn, note, ending: root.ending,
      result: this.outcome, line: this.line() };
  }

  /** The main line through a node, from the root's child to its end. */
  through(node = this.current) {
    const found = node.path;
    for (let next = node.children[0]; next; next = next.children[0]) found.push(next);
    return found;
  }

  /** How the game ended at the current node: {result, reason}, or null. */
  get over() {
    return this.current.over;
  }

  /** The result of the main line: by a player's word, by the rules, or as its record has it. */
  get outcome() {
    const line = [this.root, ...this.through(this.root)];
    const ended = line.find(({ ending }) => ending);
    const byRules = line.at(-1).view?.result ?? "*";
    return ended?.ending.result ?? (byRules === "*" ? this.result : byRules);
  }
}

/** The Game of a record, as the commands read and replay tell it, or as it was kept. */
export function fromRecord(record) {
  const { game, options, start, players, line, note, ending, view } = record;
  const made = new Game({ game, options: options ?? {}, start: start ?? null }, players);
  for (const name of ["comment", "result", "tags", "said", "review", "drawn"])
    made[name] = record[name] ?? made[name];
  if (note) made.root.note = { seconds: 0, line: [], ...note };
  made.root.ending = ending ?? null;
  if (view) made.show(made.root, view);
  made.graft(made.root, line);
  return made;
}
