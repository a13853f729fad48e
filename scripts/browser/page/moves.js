// The moves of a game as a list: two columns, variations and comments between rows, the result last.
// The graph of the game's evaluations: its lower area is the first player's share.

import { element, pressed, svg } from "./dom.js";
import { resultWords, turnNumber } from "./game.js";

const WIDE = 1000, HIGH = 200; // of the graph

export const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy", "!": "good",
  "!!": "brilliant", "!?": "interesting" };

/** Other annotation glyphs of PGN: number of the glyph -> [sign, name]. */
export const GLYPHS = { 7: ["□", "the only move"], 10: ["=", "equal"], 13: ["∞", "unclear"],
  14: ["+=", "White is slightly better"], 15: ["=+", "Black is slightly better"],
  16: ["±", "White is better"], 17: ["∓", "Black is better"], 18: ["+−", "White wins"],
  19: ["−+", "Black wins"], 22: ["⨀", "zugzwang"], 32: ["⟳", "development"], 36: ["↑", "initiative"],
  40: ["→", "attack"], 44: ["=∞", "compensation"], 132: ["⇆", "counterplay"], 146: ["N", "novelty"] };

/** Draw a game's moves.  step(node): called on a click.  hidden: show none after the current one. */
export function drawMoves(game, list, { step, hidden = false }) {
  const { root, current } = game;
  const shown = hidden ? new Set([root, ...current.path]) : null;
  const drawn = { current, step, shown };
  const rows = game.comment ? [noteRow(game.comment)] : [];
  let row = null, last = root;
  for (let node = root; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    if (shown && !shown.has(main)) break;
    if (!row || main.side === 0 || main.side === last.side) {
      row = element("li", { class: "turn" }, element("b", {}, main.number ? `${main.number}.` : ""));
      if (main.side === 1) row.append(element("span", { class: "gap" }, "…"));
      rows.push(row);
    }
    row.append(entry(main, drawn));
    const notes = main.comment ? [noteRow(main.comment)] : [];
    for (const other of shown ? [] : others)
      notes.push(element("li", { class: "variation" }, ...variation(other, drawn)));
    rows.push(...notes);
    if (notes.length) row = null;
    last = main;
  }
  const ended = !hidden && last.over;
  const result = ended ? ended.result : hidden ? "*" : game.result;
  if (result !== "*")
    rows.push(element("li", { class: "result" }, resultWords(result),
      ended?.reason ? ` ${ended.reason}` : ""));
  list.replaceChildren(...rows);
  const here = list.querySelector("[aria-current]");
  if (!here) list.scrollTop = 0;
  else if (here.offsetTop < list.scrollTop
    || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

const noteRow = (text) => element("li", { class: "comment" }, text);

/** Return the elements of a variation; variations within it are in brackets. */
function variation(first, drawn) {
  const found = [];
  let fresh = true, others = []; // others: the alternatives to the current move
  for (let node = first; node; [node, ...others] = node.children) {
    if (fresh || node.side === 0) found.push(element("b", {}, turnNumber(node)));
    found.push(entry(node, drawn));
    if (node.comment) found.push(element("span", { class: "comment" }, node.comment));
    for (const other of others)
      found.push(element("span", { class: "inner" }, "(", ...variation(other, drawn), ")"));
    fresh = Boolean(node.comment || others.length);
  }
  return found;
}

function entry(node, { current, step }) {
  const title = MARKS[node.mark] ?? "";
  const mark = node.mark ? [element("span", { class: `mark ${title}`, title }, node.mark)] : [];
  for (const nag of node.kept.nags ?? [])
    if (nag in GLYPHS) mark.push(element("span", { title: GLYPHS[nag][1] }, ` ${GLYPHS[nag][0]}`));
  return element("button", {
    "aria-current": node === current && "true", "data-ply": node.path.length,
    ...pressed(() => step(node)),
  }, node.words ?? node.move, ...mark);
}

/** Draw the graph.  nodes: the line, from its root.  step(node): called on a click.  since: the
 * index of the first node whose evaluation is drawn. */
export function drawGraph(host, nodes, current, step, since = 0) {
  const wide = Math.max(nodes.length - 1, 1);
  const points = nodes
    .map((node, ply) => ply >= since && node.note && { node, x: (WIDE * ply) / wide, y: HIGH * (1 - node.note.share) })
    .filter(Boolean);
  const at = (WIDE * nodes.indexOf(current)) / wide;
  host.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" },
    svg("rect", { class: "unknown", width: WIDE, height: HIGH }),
    ...(points.length ? areas(points) : []),
    svg("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    ...points.filter(({ node }) => node.mark).map(spot),
    svg("line", { class: "here", x1: at, x2: at, y1: 0, y2: HIGH })));
  host.onpointerdown = (event) => { // the picture may be replaced before the release
    const { left, width } = host.getBoundingClientRect();
    const node = nodes[Math.round((wide * (event.clientX - left)) / width)];
    if (event.button === 0 && node) step(node);
  };
  const known = points.length > 1 ? `${points.length} positions evaluated` : "no evaluations yet";
  host.setAttribute("aria-label", `Evaluation graph: ${known}`);
}

/** Return both players' areas, from the first to the last evaluated position. */
function areas(points) {
  const [left, right] = [points[0].x, points.at(-1).x];
  const way = points.map(({ x, y }) => `L${x} ${y}`).join("");
  return [
    svg("rect", { class: "second", x: left, width: right - left, height: HIGH }),
    svg("path", { class: "first", d: `M${left} ${HIGH}${way}L${right} ${HIGH}Z` }),
  ];
}

/** Return the mark of a mistake: a line whose width doesn't depend on the graph's. */
function spot({ node, x }) {
  return svg("line", { class: `spot ${MARKS[node.mark]}`, x1: x, x2: x, y1: 0, y2: 22 },
    svg("title", {}, `${turnNumber(node)} ${node.words}${node.mark} ${node.note.score}`));
}
