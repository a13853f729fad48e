// Small helpers for elements, dialogs and sounds.  Text is always set as text, never as markup.

import { liked } from "./store.js";

const SVG = "http://www.w3.org/2000/svg";
const PITCHES = { move: 340, end: 520 }; // of sounds, in hertz
let context = null;

export const id = (name) => document.getElementById(name);

/** Return a new element with attributes and children (elements or texts). */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if ((value ?? false) !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Return the element of an SVG text from our own server. */
export const parsed = (text) => document.importNode(new DOMParser().parseFromString(
  text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'), "image/svg+xml").documentElement, true);

/** Return options of a select, given [[value, words]]. */
export const options = (pairs) =>
  pairs.map(([value, words]) => element("option", { value }, words));

/** Return a number with its noun: 1 move, 2 moves. */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Return a number in short form: 12K, 3.4M. */
export const short = new Intl.NumberFormat("en", { notation: "compact" }).format;

export function download(text, name, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Return the listeners of a button that may be redrawn before the pointer is released. */
export const pressed = (work) => ({
  onclick: (event) => (event.pointerType === "touch" || event.detail === 0) && work(event),
  onpointerdown: (event) => event.pointerType !== "touch" && event.button === 0 && work(event),
});

/** Follow the pointer: call move(event), and end(event) when the pointer is released or cancelled. */
export function track(move, end) {
  const tracking = new AbortController(), { signal } = tracking;
  const release = (event) => {
    tracking.abort();
    end(event);
  };
  addEventListener("pointermove", move, { signal });
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, { signal });
}

/** Show choices [{label, value, picture}] in a dialog; resolve to the value chosen, or null.
 * place: the DOMRect of the cell beside which they are shown, if they belong to one. */
export function ask(title, choices, place = null) {
  const box = id("ask");
  box.classList.toggle("beside", Boolean(place));
  box.style.left = place && `${Math.max(0, Math.min(place.left, innerWidth - 90))}px`;
  box.style.top = place && `${Math.max(0, Math.min(place.top, innerHeight - 80 * choices.length))}px`;
  id("ask-title").textContent = title;
  id("ask-choices").replaceChildren(...choices.map(({ label, value, picture }) =>
    element("button", { "aria-label": label, value }, picture || label)));
  box.returnValue = ""; // the value of the button that closes it
  box.showModal();
  return new Promise((resolve) => {
    box.addEventListener("close", () => resolve(box.returnValue || null), { once: true });
  });
}

/** Show a text in a dialog, selected so that the user can copy it. */
export function showText(title, text) {
  const field = element("input", { value: text, readonly: true, size: 40, "aria-label": title });
  ask(title, [{ label: "Close", value: null }]);
  id("ask-choices").prepend(field);
  field.select();
}

/** Play a tap for a move or for the end.  Browsers allow no sound before the first click on the page. */
export function sound(name) {
  if (!liked("sound", true) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = new OscillatorNode(context, { frequency: PITCHES[name], type: "triangle" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.13);
}
