// A small board beside an engine's line: the position after the move under the pointer or the focus.

import { app } from "./app.js";
import { id } from "./dom.js";
import { Grid } from "./grid.js";
import { call } from "./transport.js";

const DELAY = 120; // milliseconds, so that moves under a passing pointer show no board

let grid = null, timer = null;

/** Return an engine's line up to the move of a button in its row (analyse.js). */
export const lineTo = (button) =>
  button.closest("li").line.slice(0, [...button.parentNode.children].indexOf(button) + 1);

async function preview(button) {
  const body = app.game.body(), { facts, current, setup: { game } } = app.game;
  const moves = [...body.moves, ...lineTo(button).map(({ move }) => move)];
  const seen = await call("position", { ...body, moves }).catch(() => null);
  if (!seen?.rows || app.game.current !== current || timer === null || !button.isConnected) return;
  grid ??= Object.assign(new Grid(id("preview")), { playable: false });
  grid.flipped = app.flipped;
  grid.show({ ...facts, ...seen, name: game, moves: [] });
  const box = button.getBoundingClientRect(), { style } = id("preview");
  id("preview").showPopover();
  style.left = `${Math.min(box.left, innerWidth - id("preview").offsetWidth - 8)}px`;
  style.top = box.bottom + id("preview").offsetHeight + 8 < innerHeight ? `${box.bottom + 4}px`
    : `${box.top - id("preview").offsetHeight - 4}px`;
}

function hide() {
  clearTimeout(timer);
  timer = null;
  id("preview").hidePopover();
}

/** Show previews for the moves in a list. */
export function previewLines(list) {
  app.leaving.push(hide);
  for (const kind of ["mouseover", "focusin"])
    list.addEventListener(kind, ({ target }) => {
      hide();
      if (target.matches(".pv button")) timer = setTimeout(preview, DELAY, target);
    });
  for (const kind of ["mouseleave", "focusout", "click", "pointerdown"]) list.addEventListener(kind, hide);
}
