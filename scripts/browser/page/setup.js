// The dialogue for a new game: who plays, how strongly, the time, and where the game begins.

import { app } from "./app.js";
import { element, id } from "./dom.js";
import { Game } from "./game.js";
import { YOU, play } from "./play.js";

const RATED = [1000, 1250, 1500, 1750, 2000];
const LEVELS = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18];
const WORDS = { BoardSize: "Size of the board", UCI_Chess960: "Chess960" };

let wanted = null; // the game that the dialogue is about

/** Ask for a new game of the kind that is chosen above, as the one on the board if it is that. */
function openSetup() {
  wanted = app.facts.games.find(({ name }) => name === id("game").value);
  const same = app.game.current.view.name === wanted.name;
  const { setup, drawn } = same ? app.game : new Game({ game: wanted.name });
  id("setup-title").textContent = `New game: ${wanted.name}`;
  id("setup-error").textContent = "";
  id("start").value = drawn ? "" : setup.start ?? "";
  id("time").value = play.time;
  id("sides").replaceChildren(...wanted.colours.map(sideChooser));
  id("options").replaceChildren(
    ...wanted.options.map((option) => {
      const value = setup.options[option.name] ?? option.default;
      const box =
        option.kind === "check"
          ? element("input", { type: "checkbox", checked: value === true || value === "true" })
          : element("input", { type: "number", min: option.low, max: option.high, value });
      box.dataset.option = option.name;
      return element("label", {}, WORDS[option.name] ?? option.name, box);
    }),
  );
  id("setup").showModal();
}

function sideChooser(colour, side) {
  const seat = play.seats[side];
  const who = element(
    "select",
    { "data-seat": side },
    element("option", { value: YOU }, "You"),
    ...app.facts.engines.map((name, number) => element("option", { value: number }, name)),
  );
  who.value = String(seat.who);
  const strength = element(
    "select",
    { "data-strength": side },
    element("option", { value: "full" }, "full strength"),
    ...LEVELS.map((level) =>
      element("option", { value: `skill ${level}` }, `level ${level} of 20`),
    ),
    ...RATED.map((elo) => element("option", { value: `elo ${elo}` }, `Elo ${elo}`)),
  );
  strength.value = seat.strength;
  const told = element("label", {}, "Strength", strength);
  const show = () => {
    told.hidden = who.value === YOU;
  };
  who.addEventListener("change", show);
  show();
  return element(
    "fieldset",
    {},
    element("legend", {}, colour),
    element("label", {}, "Player", who),
    told,
  );
}

/** One of the 960 positions, drawn by lot. */
function drawnPosition() {
  const rank = Array(8).fill("");
  const lot = (count) => Math.floor(Math.random() * count);
  const put = (piece, number) => {
    const free = rank.map((each, file) => (each ? null : file)).filter((file) => file !== null);
    rank[free[number]] = piece;
  };
  rank[2 * lot(4)] = "b"; // one bishop on each colour
  rank[2 * lot(4) + 1] = "b";
  put("q", lot(6));
  put("n", lot(5));
  put("n", lot(4));
  for (const piece of "rkr") put(piece, 0); // the king between the rooks
  const row = rank.join("");
  return `${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w KQkq - 0 1`;
}

/** Make the buttons work. */
export function setUpDialogue() {
  id("new").addEventListener("click", openSetup);
  id("begin").addEventListener("click", async (event) => {
    event.preventDefault();
    const options = {};
    for (const box of id("options").querySelectorAll("[data-option]")) {
      const value = box.type === "checkbox" ? box.checked : Number(box.value);
      if (value !== wanted.options.find(({ name }) => name === box.dataset.option).default)
        options[box.dataset.option] = value;
    }
    const seats = [0, 1].map((side) => {
      const who = id("sides").querySelector(`[data-seat="${side}"]`).value;
      return {
        who: who === YOU ? YOU : Number(who),
        strength: id("sides").querySelector(`[data-strength="${side}"]`).value,
      };
    });
    const typed = id("start").value.trim();
    const drawn = !typed && Boolean(options.UCI_Chess960);
    const start = drawn ? drawnPosition() : typed || null;
    const setup = { game: wanted.name, options, start };
    try {
      await play.fresh(setup, { seats, time: id("time").value, drawn });
      id("setup").close();
    } catch (error) {
      id("setup-error").textContent = error.message;
    }
  });
}
