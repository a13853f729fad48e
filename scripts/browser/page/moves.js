// The list of moves: two columns, with variations and comments between rows and the result last.

import { element } from "./dom.js";

export const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy", "!": "good",
  "!!": "brilliant", "!?": "interesting" };

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
    rows.push(element("li", { class: "result" }, result.replace("1/2-1/2", "½–½").replace("-", "–"),
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
  const found = [element("b", {}, turnNumber(first)), entry(first, drawn)];
  if (first.comment) found.push(element("span", { class: "comment" }, first.comment));
  let fresh = Boolean(first.comment);
  for (let node = first; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    if (fresh || main.side === 0) found.push(element("b", {}, turnNumber(main)));
    found.push(entry(main, drawn));
    if (main.comment) found.push(element("span", { class: "comment" }, main.comment));
    for (const other of others)
      found.push(element("span", { class: "inner" }, "(", ...variation(other, drawn), ")"));
    fresh = Boolean(main.comment || others.length);
  }
  return found;
}

/** Return the number before a move: 3. or 3… */
export function turnNumber({ number, side }) {
  return number === undefined ? "" : `${number}${side === 0 ? "." : "…"}`;
}

function entry(node, { current, step }) {
  const title = MARKS[node.mark] ?? "";
  const mark = node.mark ? [element("span", { class: `mark ${title}`, title }, node.mark)] : [];
  return element("button", {
    "aria-current": node === current && "true", "data-ply": node.path.length,
    onclick: () => step(node),
  }, node.words ?? node.move, ...mark);
}
