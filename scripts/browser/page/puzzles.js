// Puzzles: the mistakes of analysed games, to solve again after days until they are known.

import { announce, app, guarded, opening, say, showTable } from "./app.js";
import { ask, counted, id } from "./dom.js";
import { Game, factsOf } from "./game.js";
import { keepNow } from "./keeping.js";
import { review } from "./review.js";
import { keepPuzzles, like, liked, storedPuzzles } from "./store.js";
import { call } from "./transport.js";

const DAYS = [1, 3, 7, 21]; // days until a puzzle comes back, by how often in a row it was solved
const DAY = 86_400_000; // milliseconds
const MISTAKES = ["?", "??"];
const BOTH = "Both players'";

/** Return the puzzles that are due now, the longest waiting first. */
function due() {
  return storedPuzzles().filter((each) => each.due <= Date.now() && factsOf(each.setup.game))
    .sort((one, other) => one.due - other.due);
}

/** Return a mistake on the main line as a puzzle: its position, its move and a better one. */
function puzzleOf(node) {
  const { parent, move, spelt, number, side } = node;
  const best = review.betterThan(node)?.move, share = parent.note?.share;
  return !best || share === undefined ? null : { setup: app.game.setup,
    moves: parent.path.map((each) => each.move), played: { move, ...spelt, number, side }, best, share,
    from: `From ${app.game.title}`, solved: 0, due: Date.now() };
}

const place = ({ setup, moves }) => JSON.stringify([setup.game, setup.start, moves]);

/** Return whose mistakes to keep: a side, or null for both.  Ask once which name is the user's. */
async function whose() {
  const { players, match } = app.game, me = liked("me", [""]);
  const own = players.findIndex((name) => (match ? name === "You" : me.includes(name)));
  if (own >= 0 || match || !players.every(Boolean)) return own < 0 ? null : own;
  const chosen = await ask("Whose mistakes?  The page will remember who you are.",
    [...players, BOTH].map((label) => ({ label, value: label })));
  if (!chosen) throw new Error("No puzzles were kept");
  if (chosen === BOTH) return null;
  like("me", [...me.filter(Boolean), chosen]);
  return players.indexOf(chosen);
}

/** Keep the user's mistakes in the game on the board as puzzles. */
async function add() {
  const side = await whose(), { players, match, review: summary } = app.game;
  const by = side === null || match ? "" : ` by ${players[side]}`;
  const found = app.game.through(app.game.root).filter((node) => MISTAKES.includes(node.mark) && node.parent
    && (side === null || node.side === side)).map(puzzleOf).filter(Boolean);
  const known = storedPuzzles(), places = new Set(known.map(place));
  const fresh = found.filter((each) => !places.has(place(each)));
  if (!keepPuzzles([...known, ...fresh])) throw new Error("This browser's storage is full");
  say(found.length ? `${counted(fresh.length, "new puzzle")} from ${counted(found.length, "mistake")}`
    : `No mistake${by} with a better move is marked${summary ? "" : ": analyse the game first"}`);
  show();
}

async function next() {
  const [puzzle] = due();
  if (!puzzle) {
    const [first] = storedPuzzles().sort((one, other) => one.due - other.due);
    return say(first ? `The next puzzle is due on ${new Date(first.due).toLocaleDateString()}`
      : "There are no puzzles yet: analyse a game and keep its mistakes");
  }
  keepNow();
  const { line } = await call("line", { ...puzzle.setup, moves: puzzle.moves });
  const game = new Game(puzzle.setup);
  const parent = game.reach(line, game.root);
  const mistake = game.reach([puzzle.played], parent);
  game.keep(mistake);
  mistake.mark = "??";
  Object.assign(game, { isPuzzle: true, comment: puzzle.from ?? "" });
  parent.note = { share: puzzle.share, score: "", line: [{ move: puzzle.best }] };
  const ready = () => {
    app.flipped = mistake.side !== app.game.facts.looks.bottom;
    review.trying = { node: mistake, said: null, ended: (isRight) => end(puzzle, isRight) };
  };
  if (!await app.go(parent, { game, ready })) return;
  showTable();
  announce(review.question());
}

/** Schedule a puzzle again: later if the first answer was right, tomorrow if not. */
function end(puzzle, isRight) {
  const solved = isRight ? puzzle.solved + 1 : 0;
  const others = storedPuzzles().filter((each) => place(each) !== place(puzzle));
  const wait = DAYS[Math.max(solved - 1, 0)] * DAY;
  const again = { ...puzzle, solved, due: Date.now() + wait };
  keepPuzzles(solved > DAYS.length ? others : [...others, again]);
  show();
  if (isRight) announce(`Right. ${counted(due().length, "puzzle")} left`);
}

function show() {
  const count = due().length;
  id("puzzle").textContent = count ? `Puzzles (${count})` : "Puzzles";
}

export function startPuzzles() {
  id("puzzle-add").addEventListener("click", guarded(add));
  id("puzzle").addEventListener("click", guarded(opening(next)));
  show();
}
