// Annotations: marks and comments; promoting and deleting variations.

import { app, guarded } from "./app.js";
import { ask, element, id } from "./dom.js";
import { MARKS } from "./moves.js";

/** Show the annotations of the move on the board. */
export function showAnnotations() {
  const { current, root, comment } = app.game;
  const box = id("comment");
  if (document.activeElement !== box) box.value = current === root ? comment : current.comment;
  for (const button of id("marks").children) {
    button.disabled = current === root;
    button.setAttribute("aria-pressed", button.value === current.mark);
  }
  id("promote").disabled = current.path.every((node) => node.parent.children[0] === node);
  id("delete").disabled = current === root;
}

function changed() {
  app.drawMoves();
  showAnnotations();
  app.changed();
}

/** Store the comment while it is typed, since a reload ends the typing without a change event. */
function remark() {
  const { current, root } = app.game;
  if (current === root) app.game.comment = id("comment").value.trim();
  else current.comment = id("comment").value.trim();
  app.changed();
}

async function remove() {
  const { current } = app.game, { parent } = current;
  const more = current.children.length ? " and all moves after it" : "";
  const sure = await ask(`Delete ${current.words}${more}?`, [
    { label: "Delete", value: "yes" }, { label: "Keep it", value: "no" }]);
  if (sure !== "yes") return;
  parent.children = parent.children.filter((node) => node !== current);
  await app.go(parent);
}

/** Set up the buttons. */
export function startAnnotating() {
  id("marks").replaceChildren(...Object.entries(MARKS).map(([mark, name]) =>
    element("button", { value: mark, title: name, "aria-label": name, onclick: () => {
      const { current } = app.game;
      current.mark = current.mark === mark ? "" : mark;
      changed();
    } }, mark)));
  id("comment").addEventListener("input", remark);
  id("comment").addEventListener("change", changed);
  id("promote").addEventListener("click", () => {
    app.game.promote(app.game.current);
    changed();
  });
  id("delete").addEventListener("click", guarded(remove));
}
