// The dialog for a new game: players, strength, time, options and the starting position.

import { app, showTable } from "./app.js";
import { element, id, options } from "./dom.js";
import { engineChoices, strengths } from "./engines.js";
import { Game, factsOf } from "./game.js";
import { PERSON, YOU, play } from "./play.js";
import { like } from "./store.js";
import { call } from "./transport.js";

let wanted = null; // the game that the dialogue is about
let from = false; // does the new game start from the position on the board?
let begun = null; // the move that the user has made there

/** Open the dialog for the selected game, with the current settings if it is on the board.
 * here: whether the new game starts from the position on the board.  move: its first move. */
function openSetup(here, move = null) {
  wanted = factsOf(id("game").value);
  [from, begun] = [here, move];
  const same = app.game.current.view.name === wanted.name;
  const { setup } = same ? app.game : new Game({ game: wanted.name });
  id("setup-title").textContent = here ? "Play from here?" : `New game: ${wanted.title}`;
  id("start").parentNode.hidden = id("options").hidden = here;
  id("setup-error").textContent = "";
  id("start").value = "";
  id("time").value = players().time;
  const [first, second] = wanted.colours;
  id("you").replaceChildren(...options([["0", first], ["1", second], ["lot", "random side"],
    ["both", "both sides"], ["none", "neither side: engines play"]]));
  id("you").value = here ? String(app.game.current.view.side) : personsSide();
  id("sides").replaceChildren(...wanted.colours.map(opponentChooser));
  id("options").replaceChildren(...wanted.options.map((option) => optionBox(option, setup)));
  showOpponents();
  id("setup").showModal();
}

/** Return the sides and the time of the match on the board, or those of the last one. */
const players = () => app.game.match ?? play.usual;

/** Return the side that the user plays now, as a value of the select. */
function personsSide() {
  const mine = players().sides.map(({ who }) => who === YOU);
  if (mine[0] && mine[1]) return "both";
  return mine[0] ? "0" : mine[1] ? "1" : "none";
}

/** Show the controls of the engines that will play; hide the others. */
function showOpponents() {
  const you = id("you").value;
  [...id("sides").children].forEach((box, side) => {
    box.hidden = you === "both" || you === String(side) || (you === "lot" && side === 0);
    box.firstChild.textContent = you === "none" ? wanted.colours[side] : "Opponent";
  });
}

/** Return the controls that choose a side's engine and level. */
function opponentChooser(colour, side) {
  const { sides } = players(), former = sides[side].who === YOU ? sides[1 - side] : sides[side];
  const who = element("select", { "data-engine": side }, ...engineChoices());
  who.value = former.who === YOU ? "0" : String(former.who);
  const strength = element("select", { "data-strength": side }, ...strengths(wanted.ratings));
  strength.value = former.strength;
  if (strength.selectedIndex < 0) strength.value = "full";
  return element("fieldset", {}, element("legend", {}, colour),
    element("label", {}, "Engine", who), element("label", {}, "Level", strength));
}

function optionBox(option, setup) {
  const value = setup.options[option.name] ?? option.default;
  const box = option.kind === "check"
    ? element("input", { type: "checkbox", checked: value === true || value === "true" })
    : option.kind === "combo" ? element("select", {}, ...options(option.choices.map((one) => [one, one])))
      : element("input", { type: "number", min: option.low, max: option.high });
  if (option.kind !== "check") box.value = value;
  box.dataset.option = option.name;
  return element("label", {}, option.title, box);
}

/** Return the game's start with its pieces in one of the 960 orders of Chess960, at random. */
async function drawnPosition() {
  const { text } = await call("position", { game: wanted.name });
  const lots = () => [..."rnbqkbnr"].map((piece) => [Math.random(), piece]).sort();
  let row = "";
  while (!/b(..)*b/.test(row) || !/r.*k.*r/.test(row)) // bishops apart, the king between the rooks
    row = lots().map(([, piece]) => piece).join("");
  return text.replace("rnbqkbnr", row).replace("RNBQKBNR", row.toUpperCase());
}

/** Return the players of both sides as chosen in the dialog. */
function chosenSides() {
  const you = id("you").value, drawn = you === "lot";
  const at = (name, side) => id("sides").querySelector(`[data-${name}="${side}"]`).value;
  const engine = (side) => ({ who: Number(at("engine", side)), strength: at("strength", side),
    name: app.facts.engines[at("engine", side)] });
  const mine = drawn ? Math.floor(2 * Math.random()) : Number(you);
  return [0, 1].map((side) => (you === "both" || side === mine ? PERSON : engine(drawn ? 1 : side)));
}

async function begin(event) {
  event.preventDefault();
  const options = {};
  for (const box of id("options").querySelectorAll("[data-option]")) {
    const { value: typed, type } = box;
    const value = type === "checkbox" ? box.checked : type === "number" ? Number(typed) : typed;
    if (value !== wanted.options.find(({ name }) => name === box.dataset.option).default)
      options[box.dataset.option] = value;
  }
  const sides = chosenSides(), time = id("time").value;
  const typed = id("start").value.trim();
  try {
    if (from) {
      await play.here({ sides, time });
      if (begun && play.mayMove()) await play.move(begun);
    } else {
      const start = typed || (options.UCI_Chess960 ? await drawnPosition() : null);
      await play.fresh({ game: wanted.name, options, start }, { sides, time });
    }
    like("sides", sides);
    like("time", time);
    id("setup").close();
    showTable();
  } catch (error) {
    id("setup-error").textContent = error.message;
  }
}

export function setUpDialogue() {
  app.playHere = (move) => openSetup(true, move);
  id("new").addEventListener("click", () => openSetup(false));
  for (const name of ["play-here", "play-record"])
    id(name).addEventListener("click", () => openSetup(true));
  id("you").addEventListener("change", showOpponents);
  id("begin").addEventListener("click", begin);
}
