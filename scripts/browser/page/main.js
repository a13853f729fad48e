// The page begins here: tabs, keys, and the first game.

import { analyse } from "./analyse.js";
import { app, guarded, playTyped, say } from "./app.js";
import { element, id } from "./dom.js";
import { learn } from "./learn.js";
import { useChessmen } from "./pieces.js";
import { play } from "./play.js";
import { call, connect, listen } from "./server.js";
import { setUpDialogue } from "./setup.js";
import { watch } from "./watch.js";

// A tab: start() once, shown() and left() as it comes and goes, and what app.js asks of it:
// mayMove(), move(text), step(node), and where it has them arrived(), status(), player(side).
const tabs = { play, analyse, learn, watch };
const BOARDLESS = ["learn"];

/** Show a tab. */
async function show(name) {
  if (app.tab === tabs[name]) return;
  app.tab?.left?.();
  app.tab = tabs[name];
  app.arrows = []; // what an engine advises on one tab is no advice on the next
  for (const other of Object.keys(tabs)) {
    id(other).hidden = other !== name;
    id(`tab-${other}`).setAttribute("aria-selected", other === name);
    id(`tab-${other}`).tabIndex = other === name ? 0 : -1;
  }
  for (const part of ["table", "score"]) id(part).hidden = BOARDLESS.includes(name);
  id("type").hidden = name === "watch";
  document.querySelector("main").classList.toggle("wide", BOARDLESS.includes(name));
  if (app.game) await app.tab.shown?.();
}

function setUpTabs() {
  const names = Object.keys(tabs);
  for (const name of names) id(`tab-${name}`).addEventListener("click", guarded(() => show(name)));
  id("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = names.findIndex((name) => app.tab === tabs[name]);
    const next = names[(at + step + names.length) % names.length];
    event.stopPropagation();
    guarded(show)(next);
    id(`tab-${next}`).focus();
  });
}

function setUpKeys() {
  const keys = {
    ArrowLeft: () => app.step(-1), ArrowRight: () => app.step(1),
    Home: () => app.step(-Infinity), End: () => app.step(Infinity),
    f: () => id("flip").click(),
    h: () => app.tab === play && id("hint").click(),
    Backspace: () => app.tab === play && id("back").click(),
  };
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input, textarea, select, dialog")
      || event.ctrlKey || event.metaKey || event.altKey;
    if (busy || app.tab === learn || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

function setUpButtons() {
  id("first").addEventListener("click", () => app.step(-Infinity));
  id("previous").addEventListener("click", () => app.step(-1));
  id("next").addEventListener("click", () => app.step(1));
  id("last").addEventListener("click", () => app.step(Infinity));
  id("flip").addEventListener("click", () => {
    app.flipped = !app.flipped;
    app.draw();
    app.tab.flipped?.();
  });
  id("type").addEventListener("submit", (event) => {
    event.preventDefault();
    playTyped();
  });
  id("game").addEventListener("change", guarded(async () => {
    const setup = { game: id("game").value, options: {}, start: null };
    if (app.tab !== analyse) await show("play");
    try {
      await app.tab.fresh(setup);
    } catch (error) {
      id("game").value = app.game.current.view.name;
      throw error;
    }
  }));
  id("to-analyse").addEventListener("click", guarded(() => show("analyse")));
  id("play-here").addEventListener("click", guarded(async () => {
    await show("play");
    play.here();
  }));
}

async function start() {
  app.show = show;
  const facts = await call("games");
  app.facts = facts;
  useChessmen(facts.chessmen);
  const names = facts.games.map(({ name }) => element("option", { value: name }, name));
  id("game").replaceChildren(...names);
  for (const tab of Object.values(tabs)) tab.start();
  listen("lost", ({ error }) => say(error, true));
  listen("hello", () => app.game && app.refresh()); // again, after a break
  await connect();
  await show("play");
  await play.fresh({ game: facts.game, options: {}, start: null });
  setUpTabs();
  setUpKeys();
  setUpButtons();
  setUpDialogue();
  for (const part of document.querySelectorAll("[inert]")) part.inert = false;
  if (facts.tournament && app.tab === play) await show("watch");
}

start().catch((error) => say(error.message, true));
