// Drawing trees: the places of nodes, and the tree of the game "tree".

import { element, svg } from "./dom.js";

const DOWN = 92, LEFT = 64, TOP = 40;
const LETTER = 10; // width of a letter in a level's name
const SMALLEST = 0.6; // smallest legible scale; wider trees scroll

/** Return the centre of a node.  above: height of the boards above nodes. */
export const place = ({ x, y }, above = 0) => [LEFT + x, TOP + above + y * (DOWN + above)];

/** Return a picture with the names of a tree's levels and no nodes yet. */
export function treePicture({ nodes, width, above = 0 }, colours, label) {
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

/** Return the line between a node and its child. */
export function edgeLine(node, child, state, above = 0) {
  const [x1, y1] = place(node, above), [x2, y2] = place(child, above);
  return svg("line", { class: `edge ${state}`, x1, y1, x2, y2: y2 - above });
}

/** Return a node's drawing; its shape shows who moves.  value: the text in it. */
export function treeNode(node, state, value, attributes = {}, above = 0) {
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
  const { tree, colours, side } = view, here = tree.way.at(-1), way = new Set(tree.way);
  const below = new Set([here]);
  for (const node of tree.nodes) {
    if (below.has(node.number)) node.children.forEach((child) => below.add(child));
  }
  const hinted = new Set(arrows.map(({ move }) => move));
  const picture = treePicture(tree, colours, `the tree, ${colours[side]} to move`);
  for (const node of tree.nodes) {
    for (const child of node.children) {
      const state = way.has(child) ? "best" : below.has(child) ? "seen" : "unseen";
      picture.append(edgeLine(node, tree.nodes[child], state));
    }
  }
  for (const node of tree.nodes) {
    const move = tree.moves[node.number], can = playable && move !== undefined;
    const state = [node.number === here ? "current" : way.has(node.number) ? "best"
      : below.has(node.number) ? "seen" : "unseen", can && "can", hinted.has(move) && "hinted"];
    const play = () => onMove(move);
    const press = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      play();
    };
    const words = `move ${move}${node.value ? `, worth ${node.value}` : ""}`;
    const button = can ? { role: "button", tabindex: 0, "data-move": move, onclick: play,
      onkeydown: press, "aria-label": words } : {};
    picture.append(treeNode(node, state.filter(Boolean).join(" "), node.value, button));
  }
  return element("div", { class: "walked" }, picture);
}
