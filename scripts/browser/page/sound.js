// Synthesised sounds: a tap for a move, a chord for the end.

import { like, liked } from "./store.js";

const TAPS = { move: [[340, 0]], end: [[392, 0], [494, 0.09], [587, 0.18]], low: [[220, 0]] };
let context = null;

/** Are sounds on? */
export const audible = () => liked("sound", true);

/** Switch sounds on or off. */
export function setAudible(wanted) {
  like("sound", wanted);
}

/** Play a sound.  Before the first click on the page browsers allow none. */
export function play(name) {
  if (!audible() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [pitch, after] of TAPS[name]) tap(pitch, context.currentTime + after);
}

function tap(pitch, at) {
  const tone = new OscillatorNode(context, { frequency: pitch, type: "triangle" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.13);
}
