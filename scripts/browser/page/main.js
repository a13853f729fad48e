// Entry point of the page: tabs, keys, and the first game.

import { analyse } from "./analyse.js";
import { app, guarded, opening, playTyped, say } from "./app.js";
import { ask, id, options } from "./dom.js";
import { showAnnotations, startAnnotating, startEditor } from "./editor.js";
import { startSearches } from "./engines.js";
import { beginAgain, change, startKeeping } from "./keeping.js";
import { learn } from "./learn.js";
import { useDrawings } from "./pieces.js";
import { play } from "./play.js";
import { startPuzzles } from "./puzzles.js";
import { choose, follow, showReport, startRecords } from "./records.js";
import { call, connect, embedded, listen } from "./transport.js";
import { setUpDialogue } from "./setup.js";
import { setting, startSettings } from "./settings.js";
import { remember, reloaded } from "./store.js";
import { watch } from "./watch.js";

// A tab has start(), called once, and shown() and left(), called on each switch.  Optional, for app.js:
// mayMove() and move(text), step(node), arrived(), status(), player(side), premoving(), and spoils():
// must later moves be hidden?
const tabs = { play, analyse, learn, watch };
const SITE_HASH = 1024; // MB, the largest table of an engine that runs in the browser

async function show(name) {
  if (app.tab === tabs[name]) return;
  await app.tab?.left?.(name);
  app.tab = tabs[name];
  app.watching = name === "watch";
  app.arrows = []; // an engine's advice belongs to the tab that asked for it
  document.body.dataset.tab = name;
  if (!embedded) remember("tab", name);
  for (const other of Object.keys(tabs)) {
    id(other).hidden = other !== name;
    id(`tab-${other}`).ariaCurrent = other === name ? "page" : null;
  }
  await app.tab.shown?.();
}

// Keys of all tabs, and of buttons (data-key).  A tab's own `keys` come first.  A tab without a board
// has no other keys.
const KEYS = {
  ArrowLeft: () => app.step(-1), ArrowRight: () => app.step(1),
  Home: () => app.step(-Infinity), End: () => app.step(Infinity),
  f: flip, "?": () => id("open-settings").click(),
};

function flip() {
  app.flipped = !app.flipped;
  app.draw();
  app.tab.flipped?.();
  app.changed();
}

const actionOf = (key) =>
  app.tab?.keys?.[key] ?? (app.tab === learn && key !== "?" ? null : KEYS[key]);

function setUpKeys() {
  // The arrow keys step through the game.  They move between cells only if the user reached the board
  // with the keyboard.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") document.body.dataset.by = "keyboard";
  }, true);
  document.addEventListener("pointerdown", () => {
    document.body.dataset.by = "pointer";
  }, true);
  document.addEventListener("keydown", (event) => {
    const press = actionOf(event.key), boardless = app.tab === learn;
    // on a focused button the space bar presses that button
    const busy = event.target.closest(event.key === " " ? "input, textarea, select, dialog, button"
      : `input${boardless ? "" : ":not([type=checkbox])"}, textarea, select, dialog`)
      || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey;
    const letter = event.key.length === 1 && event.key !== " ";
    if (busy || !press || (letter && !setting("shortcuts"))) return;
    event.preventDefault();
    press();
  });
  let wheeled = 0;
  id("board").addEventListener("wheel", (event) => {
    if (event.ctrlKey) return; // the browser zooms
    event.preventDefault();
    wheeled += event.deltaY;
    if (Math.abs(wheeled) < 40) return;
    app.step(Math.sign(wheeled));
    wheeled = 0;
  }, { passive: false });
}

/** Move the keyboard's focus to a neighbour when its element is removed, hidden or disabled. */
function holdFocus() {
  let last = null, home = null; // the focused element, and the nearest one with an id around it
  const usable = (each) => each.isConnected && !each.disabled && each.checkVisibility();
  document.addEventListener("focusin", ({ target }) => {
    last = target;
    home = target.parentElement?.closest("[id]");
  });
  new MutationObserver(() => {
    if (!last || usable(last) || document.body.dataset.by !== "keyboard") return;
    if (![document.body, last].includes(document.activeElement)) return;
    let next = null;
    for (let box = home; box && !next; box = box.parentElement) {
      const found = [...box.querySelectorAll("button, select, input")].filter(usable);
      const before = found.filter((each) => last.isConnected && last.compareDocumentPosition(each)
        & Node.DOCUMENT_POSITION_PRECEDING);
      next = found.find((each) => each.ariaCurrent === "true") ?? before.at(-1) ?? found[0];
    }
    (next ?? document.querySelector("nav [aria-current]")).focus();
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden"] });
}

function setUpButtons() {
  for (const button of document.querySelectorAll("[data-key]"))
    button.addEventListener("click", () => actionOf(button.dataset.key)?.());
  id("type").addEventListener("submit", playTyped);
  id("game").addEventListener("change", guarded(opening(async () => {
    const kind = id("game").value;
    try {
      if (![analyse, learn].includes(app.tab)) await show("play");
      await change(kind);
      if (app.tab === learn) await learn.takeBoard();
    } catch (error) {
      id("game").value = app.game.current.view.name;
      throw error;
    }
  })));
  for (const name of Object.keys(tabs))
    id(`tab-${name}`).addEventListener("click", guarded(() => show(name)));
  id("to-analyse").addEventListener("click", guarded(() => show("analyse")));
  id("update").addEventListener("click", guarded(() => call("update")));
}

/** Start the page with engines, which a server or workers run. */
async function begin() {
  startSearches();
  listen("lost", ({ error }) => say(error, true));
  listen("waiting", ({ move, words }) => {
    say(words);
    if (move) app.point([{ move, kind: "hint" }]); // the move that the user has made
  });
  listen("ready", () => app.game && !play.moving && app.draw());
  listen("hello", () => app.game && app.refresh()); // reconnected
  listen("version", () => { id("update").hidden = false; });
  listen("missing", ({ words }) => ask(words, [{ label: "Go on", value: "on" }]));
  await connect();
  const former = reloaded("tab");
  await show(former in tabs ? former : "play");
  startKeeping();
  await beginAgain();
  if (!(former in tabs) && !app.game.match) await show("analyse");
  setUpDialogue();
  startRecords();
  startPuzzles();
  startEditor();
  startAnnotating();
  const again = performance.getEntriesByType("navigation")[0].type === "reload", learns = app.tab === learn;
  const link = (again && learns && reloaded("lesson")) || location.hash;
  if (link && (learns || !again || !reloaded("id"))) await guarded(follow)(link);
  if (app.facts.tournament && app.tab === play) await show("watch");
}

async function start() {
  Object.assign(app, { show, embedded });
  Object.assign(app.facts, await call("games"));
  document.body.classList.toggle("site", Boolean(app.facts.site));
  if (app.facts.site) document.querySelector("[data-setting=hash]").max = SITE_HASH;
  useDrawings(app.facts);
  id("game").replaceChildren(...options(app.facts.games.map(({ name, title }) => [name, title])));
  for (const tab of embedded ? [analyse, watch] : Object.values(tabs)) tab.start();
  app.drawAnnotations = showAnnotations;
  setUpKeys();
  holdFocus();
  setUpButtons();
  startSettings(() => {
    if (app.game) app.draw();
    app.tab.configured?.();
  });
  id("chosen").addEventListener("change", guarded(opening(() => choose(Number(id("chosen").value) + 1))));
  await (embedded ? showReport() : begin());
  for (const part of document.querySelectorAll("[inert]")) part.inert = false;
}

start().catch((error) => say(error.message, true));
