// The settings of this browser, and the dialog that shows them and the keys.

import { id } from "./dom.js";
import { like, liked } from "./store.js";
import { call } from "./transport.js";

const DEFAULTS = { colours: "", shogi: "", sound: true, shortcuts: true, limit: "", threads: null, hash: null };

export const setting = (name) => liked(name, DEFAULTS[name]);

/** Return the engine's options that were set, as fields of the command think. */
export const engineOptions = () => Object.fromEntries(["threads", "hash"].map((name) =>
  [name, setting(name)]).filter(([, value]) => value !== null));

/** Return a limit "movetime 5" or "nodes 1000", or "" for none, as a field of the command think. */
export function limitOf(text) {
  const [name, value] = text.split(" ");
  return text ? { [name]: Number(value) } : {};
}

/** Store the value of a box, unless it is out of range. */
function store(box) {
  const { setting: name } = box.dataset;
  const value = { checkbox: box.checked, number: box.value ? Number(box.value) : null };
  if (box.checkValidity()) like(name, box.type in value ? value[box.type] : box.value);
  showColours();
}

const showColours = () => { document.documentElement.dataset.colours = setting("colours"); };

async function keepAll() {
  const say = (words) => { id("kept").textContent = words; };
  say("fetching …");
  await call("keep").then(() => say("All games are kept."), (error) => say(`Can't keep the games: ${error.message}`));
}

/** Set up the dialog.  changed(): called when it is closed. */
export function startSettings(changed) {
  for (const box of document.querySelectorAll("[data-setting]")) {
    const value = setting(box.dataset.setting);
    if (box.type === "checkbox") box.checked = value;
    else box.value = value;
    box.addEventListener("change", () => store(box));
  }
  showColours();
  id("open-settings").addEventListener("click", () => id("settings").showModal());
  id("settings").addEventListener("close", changed);
  id("keep-all").addEventListener("click", keepAll);
}
