// The graph of a game: the evaluation of its positions, the first player's share below.

import { svg } from "./dom.js";
import { turnNumber } from "./moves.js";

const WIDE = 1000, HIGH = 200;

/**
 * Draw the graph.  nodes: the line, from its root.  step(node): called on a click.  until: the
 * number of nodes whose evaluations are drawn.
 */
export function drawGraph(host, nodes, current, step, until = nodes.length) {
  const wide = Math.max(nodes.length - 1, 1);
  const points = nodes.slice(0, until)
    .map((node, ply) => node.note && { node, x: (WIDE * ply) / wide, y: HIGH * (1 - node.note.share) })
    .filter(Boolean);
  const at = (WIDE * nodes.indexOf(current)) / wide;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" },
    svg("rect", { class: "unknown", width: WIDE, height: HIGH }),
    ...(points.length ? areas(points) : []),
    svg("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    ...points.filter(({ node }) => node.mark).map(spot),
    svg("line", { class: "here", x1: at, x2: at, y1: 0, y2: HIGH }));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    step(nodes[Math.round(((nodes.length - 1) * (event.clientX - box.left)) / box.width)]);
  });
  host.replaceChildren(picture);
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
  const kind = { "??": "blunder", "?": "mistake", "?!": "inaccuracy" }[node.mark] ?? "good";
  return svg("line", { class: `spot ${kind}`, x1: x, x2: x, y1: 0, y2: 22 },
    svg("title", {}, `${turnNumber(node)} ${node.words}${node.mark} ${node.note.score}`));
}
