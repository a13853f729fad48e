// Trees: their pictures come from Python (scripts/drawing), and change here from step to step.

/** Return the element of an SVG text from our own server. */
export const parsed = (text) => document.importNode(new DOMParser().parseFromString(
  text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'), "image/svg+xml").documentElement, true);

/** Return a picture's nodes in the order of their numbers. */
export const nodesOf = (picture) => [...picture.querySelectorAll("[data-node]")];

/**
 * Show a moment of a search in a picture.  looks: for each node [state, value, window, cut].
 */
export function paint(picture, looks) {
  nodesOf(picture).forEach((node, number) => {
    const [state, value, window] = looks[number];
    node.setAttribute("class", [...node.classList].slice(0, 2).join(" ") + ` ${state}`);
    node.querySelector(".value").textContent = value;
    node.querySelector(".window").textContent = window;
  });
  for (const edge of picture.querySelectorAll("[data-edge]")) {
    const [state, , , cut] = looks[edge.dataset.edge];
    edge.setAttribute("class", `edge ${state}${cut ? " cut" : ""}`);
  }
}

/** Set attributes and listeners (onclick, onkeydown) of an element. */
export function equip(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value);
  }
}
