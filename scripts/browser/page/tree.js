// Drawing trees: of a search, and of the game "tree".

import { element, svg } from "./dom.js";

const DOWN = 92, LEFT = 64, TOP = 40;
const LETTER = 10; // width of a letter in a level's name
const SMALLEST = 0.6; // smallest legible scale; wider trees scroll

/** Return the centre of a node.  above: height of the boards above nodes. */
const place = ({ x, y }, above = 0) => [LEFT + x, TOP + above + y * (DOWN + above)];

/**
 * Return the picture of a tree.  states: the state of each node, by its number.  values: texts in
 * nodes, besides the leaves'.  cut: numbers of the nodes whose edges are crossed out.  reached: the
 * state of the edge to the current node.  attributes(node), besides(node): more attributes and
 * elements of a node's drawing.
 */
export function drawTree(tree, colours, label, { states, values = {}, cut = [], reached = "seen",
  attributes = () => ({}), besides = () => [] }) {
  const { nodes, above = 0 } = tree, picture = treePicture(tree, colours, label);
  for (const node of nodes) {
    for (const child of node.children) {
      const [first] = states[child].split(" "), state = first === "current" ? reached : first;
      picture.append(...edge(node, nodes[child], state, cut.includes(child), above));
    }
  }
  for (const node of nodes) {
    const drawn = treeNode(node, states[node.number], values[node.number] ?? node.value,
      attributes(node), above);
    drawn.append(...besides(node));
    picture.append(drawn);
  }
  return picture;
}

/** Return a picture with the names of a tree's levels and no nodes yet. */
function treePicture({ nodes, width, above = 0 }, colours, label) {
  const deepest = Math.max(...nodes.map(({ y }) => y));
  const left = Math.min(0, LEFT - 8 - LETTER * Math.max(...colours.map(({ length }) => length)));
  const box = [LEFT + width + 20 - left, place({ x: 0, y: deepest }, above)[1] + 50];
  const picture = svg("svg", { class: "tree", viewBox: `${left} 0 ${box[0]} ${box[1]}`,
    width: box[0], role: "group", "aria-label": label });
  picture.style.minWidth = `${SMALLEST * box[0]}px`;
  const levels = new Map(nodes.filter(({ leaf }) => !leaf).map((node) => [node.y, node.max]));
  for (const [y, max] of levels) {
    const name = (max ? colours[0] : colours[1]).toUpperCase();
    const middle = place({ x: 0, y }, above)[1];
    picture.append(svg("text", { class: "level", x: left + 4, y: middle + 5 }, name));
  }
  return picture;
}

/** Return the line between a node and its child, and the cross over it if it is cut. */
function edge(node, child, state, isCut, above) {
  const [x1, y1] = place(node, above), [x2, y2] = place(child, above);
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const cross = `M${x - 9} ${y - 4}L${x + 9} ${y + 4}M${x - 9} ${y + 4}L${x + 9} ${y - 4}`;
  return [svg("line", { class: `edge ${state}`, x1, y1, x2, y2: y2 - above }),
    ...(isCut ? [svg("path", { class: "cut", d: cross })] : [])];
}

/** Return a node's drawing; its shape shows who moves.  value: the text in it. */
function treeNode(node, state, value, attributes, above) {
  const [x, y] = place(node, above), { wide } = node;
  const [height, round] = node.leaf ? [30, 4] : node.max ? [42, 0] : [46, 23];
  const shape = svg("rect", { x: -wide / 2, y: -height / 2, width: wide, height, rx: round });
  const group = svg("g", { class: `node ${state}`, transform: `translate(${x} ${y})`,
    "data-node": node.number, "data-state": state, ...attributes },
  svg("title", {}, `${node.label || node.number}${value ? `: ${value}` : ""}`), shape,
  svg("text", { class: value.length > 4 ? "small" : "", y: 5 }, value));
  if (node.label) {
    const where = node.leaf ? { class: "label", y: 31 }
      : { class: "label beside", x: -wide / 2 - 4, y: -14 };
    group.append(svg("text", where, node.label));
  }
  return group;
}

/** Return the tree of a game's position.  onMove(text): called if a child is chosen. */
export function walkedTree(view, { playable, arrows, onMove }) {
  const { tree, colours, side } = view, here = tree.way.at(-1), below = new Set([here]);
  for (const { number, children } of tree.nodes)
    if (below.has(number)) children.forEach((child) => below.add(child));
  const hinted = new Set(arrows.map(({ move }) => move));
  const canMove = ({ number }) => playable && tree.moves[number] !== undefined;
  const states = tree.nodes.map((node) => [
    node.number === here ? "current" : tree.way.includes(node.number) ? "best"
      : below.has(node.number) ? "seen" : "unseen",
    canMove(node) && "can", hinted.has(tree.moves[node.number]) && "hinted",
  ].filter(Boolean).join(" "));
  const attributes = (node) => canMove(node) ? button(node, tree.moves[node.number], onMove) : {};
  return element("div", { class: "walked" }, drawTree(tree, colours,
    `the tree, ${colours[side]} to move`, { states, reached: "best", attributes }));
}

/** Return the attributes that make a node a button. */
function button({ value }, move, onMove) {
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    onMove(move);
  };
  return { role: "button", tabindex: 0, "data-move": move, onclick: () => onMove(move),
    onkeydown: press, "aria-label": `move ${move}${value ? `, worth ${value}` : ""}` };
}
