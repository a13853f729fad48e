// Play: a person or an engine on either side, with clocks or a fixed time per move.

import { announce, app, guarded, opening, say, turnWords } from "./app.js";
import { ask, id } from "./dom.js";
import { Search, levelWords } from "./engines.js";
import { Game, minutes, resultWords, wordsOf } from "./game.js";
import { engineOptions } from "./settings.js";

export const YOU = "you"; // the player of a side: a person (this), or an engine's number
const VARIED = 10; // plies from the start in which an engine at full strength varies its moves
const WAYS = 4; // the number of lines among which it chooses
const HINT = 0.5; // seconds
const LEAST = 0.6; // seconds that an engine below full strength takes for a move, as a person would

export const PERSON = { who: YOU, strength: "full" };
const NONE = { sides: [PERSON, PERSON], time: "move 1", clocks: [0, 0], waiting: true };

export const play = {
  usual: { sides: [PERSON, { who: 0, strength: "full" }], time: "move 1" }, // of the next new game
  since: 0, // when the side to move began to think
  search: null, // the search for a move
  goOn: null, // ends the wait of an engine that has its move but takes its time
  hurried: false, // has the user clicked “Move now”?
  moving: false, // a move is on its way to the server

  /** The match that is played with the game on the board: {sides, time, clocks: the seconds left for
   * each side, waiting: has an engine failed, or the person stepped back, so that engines wait for
   * “Move now”?}.  A record, a puzzle and an edited position have none, and nobody plays them. */
  get match() {
    return app.game?.match ?? NONE;
  },

  keys: { h: () => id("hint").click(), Backspace: () => id("back").click() },

  // ---- questions of the board -------------------------------------------------------

  mayMove() {
    return !app.game.over && play.match.sides[app.game.current.view.side].who === YOU;
  },

  /** Return the side that may premove while the other one thinks, or null. */
  premoving() {
    const { side } = app.game.current.view;
    const { sides, waiting } = play.match;
    const mine = sides[side].who !== YOU && sides[1 - side].who === YOU;
    return mine && !app.game.over && !waiting ? 1 - side : null;
  },

  player: (side) => playerOf(play.match.sides, side),

  status() {
    if (app.game.over) return app.game.over.reason;
    const view = app.game.current.view;
    const name = view.colours[view.side];
    const check = view.check ? ": check" : "", stopped = play.clocked ? ". The clock is stopped" : "";
    if (!app.game.match) return `${turnWords(view)}. Play from here?`;
    if (play.match.waiting && !play.mayMove())
      return `${turnWords(view)}${stopped}. Step forward, or click “Move now” to let the engine play`;
    if (play.match.waiting && play.clocked) return `${turnWords(view)}${stopped} until a move`;
    if (play.thinking) return `${name} is thinking…${check}`;
    if (view.moves.length === 1 && view.moves[0].pass) return `${name} must pass`;
    return turnWords(view);
  },

  async move(move) {
    if (!app.game.match) app.playHere(move);
    else if (play.mayMove()) await play.make(move);
  },

  step(node) {
    play.pause();
    guarded(app.go)(node);
  },

  /** Let the side to move in the new position begin. */
  arrived() {
    play.buttons();
    if (app.game.over) {
      play.halt();
      return;
    }
    const { current } = app.game;
    const { side } = current.view, { match } = play;
    current.clocks ??= [...match.clocks];
    play.since = performance.now();
    if (match.waiting) return;
    if (match.sides[side].who === YOU) setTimeout(() => app.board.playPremove()); // after make()
    else if (!play.thinking) guarded(play.think)(side);
  },

  // ---- the course of a game ---------------------------------------------------------

  async make(move) {
    if (play.moving) return;
    const { side, colours } = app.game.current.view, { match } = play;
    const node = app.game.reach([move]);
    const ready = () => {
      play.charge();
      match.clocks[side] += play.clocked?.increment ?? 0;
      node.clocks = [...match.clocks];
      match.waiting = false;
    };
    play.moving = true;
    try {
      if (await app.go(node, { first: true, ready }))
        announce(`${colours[side]} played ${node.words}${play.timeWords()}`);
    } finally {
      play.moving = false;
    }
  },

  /** Return the time left to the person to move as text, for screen readers. */
  timeWords() {
    const { side } = app.game.current.view;
    if (app.game.over) return `. ${app.game.over.reason}`;
    if (!play.clocked || play.match.sides[side].who !== YOU) return "";
    return `, you have ${clockText(play.match.clocks[side])} left`;
  },

  /** Return the seconds used by the side to move, 0 while the clock is stopped. */
  get used() {
    const running = play.clocked && !app.game.over && app.tab === play && !play.match.waiting;
    return running ? (performance.now() - play.since) / 1000 : 0;
  },

  charge() {
    play.match.clocks[app.game.current.view.side] -= play.used;
    play.since = performance.now();
  },

  /** Stop the engines and the clock until the person goes on. */
  pause() {
    play.halt();
    play.charge();
    play.match.waiting = true;
    play.buttons();
  },

  /** Is an engine thinking about its move? */
  get thinking() {
    return Boolean(play.goOn || play.search?.runs);
  },

  async think(side) {
    const { who, strength } = play.match.sides[side];
    const [kind, value] = strength.split(" ");
    play.hurried = false;
    const vary = kind === "full" && app.game.current.path.length < VARIED;
    play.search = new Search(String(side), {
      move: play.answered, failed: ({ error }) => play.failed(error), lost: play.pause });
    app.draw();
    play.buttons();
    await play.search.start({ ...app.game.body(), engine: who, ...engineOptions(),
      ...play.limits(), vary, lines: vary ? WAYS : 1, skill: kind === "skill" ? Number(value) : null });
  },

  limits() {
    const [kind, seconds] = play.match.time.split(" ");
    if (kind === "move") return { movetime: Number(seconds) };
    const [first, second] = play.match.clocks.map((left) => Math.max(left, 0.05));
    return { first, second, increment: play.clocked.increment };
  },

  get clocked() {
    const [kind, base, increment] = play.match.time.split(" ");
    return kind === "clock" ? { base: Number(base), increment: Number(increment) } : null;
  },

  halt() {
    play.search?.stop();
    play.search = null;
    play.goOn?.();
    app.board.premove = null;
  },

  async answered(event) {
    if (event.move === null) {
      play.end(Number(event.role), "resigns");
      return;
    }
    const own = play.search;
    await play.deliberate(Number(event.role));
    await app.opening?.catch(() => {});
    if (play.search !== own) return;
    try {
      await play.make(event);
    } catch (error) {
      play.pause();
      throw error;
    }
  },

  /** Let an engine below full strength take its time, but not much of its clock. */
  async deliberate(side) {
    if (play.hurried || play.match.sides[side].strength === "full") return;
    const left = play.clocked ? play.match.clocks[side] / 10 : LEAST;
    const rest = Math.min(LEAST, left) - (performance.now() - play.since) / 1000;
    await new Promise((resolve) => {
      play.goOn = resolve;
      setTimeout(resolve, 1000 * rest);
    });
    play.goOn = null;
  },

  failed(words) {
    play.pause();
    app.draw();
    say(words, true);
  },

  /** Offer a draw.  A person accepts it; an engine accepts it unless it considers itself better. */
  async offer() {
    const { sides } = play.match, side = sides.findLastIndex(({ who }) => who !== YOU);
    const { game } = app;
    if (side < 0) return play.finish("1/2-1/2", "Draw by agreement");
    let share = 1 - side; // until the evaluation is known, the engine counts as winning
    const lines = (event) => { [{ share }] = event.lines; };
    const move = () => {
      if (game.over) return;
      if ((side === 0 ? share : 1 - share) <= 0.5) play.finish("1/2-1/2", "Draw by agreement");
      else say(`${play.player(side)} declines the draw`);
    };
    return new Search("hint", { lines, move }).start({
      ...game.body(), engine: sides[side].who, movetime: HINT });
  },

  /** End the game by resignation or on time: `side` loses. */
  end(side, how) {
    const { colours } = app.game.current.view;
    play.finish(side === 0 ? "0-1" : "1-0", `${colours[side]} ${how}: ${colours[1 - side]} wins`);
  },

  finish(result, reason) {
    play.halt();
    app.game.current.ending = { result, reason };
    announce(app.game.over.reason);
    app.draw();
    app.changed();
    play.buttons();
  },

  // ---- buttons ----------------------------------------------------------------------

  buttons() {
    const { game } = app, { sides, waiting } = play.match;
    const view = game.current.view;
    const mine = sides.some(({ who }) => who === YOU);
    id("back").disabled = !game.match || (!game.current.parent && !game.current.ending);
    id("resign").disabled = Boolean(game.over) || !mine || !game.match;
    id("rematch").disabled = !game.match;
    id("play-record").hidden = Boolean(game.match);
    const stuck = waiting && !game.over && sides[view.side].who !== YOU;
    id("now").hidden = !play.thinking && !stuck;
    id("hint").hidden = !id("now").hidden || !id("pass").hidden;
    id("hint").disabled = !play.mayMove();
    id("banner-title").textContent = game.over ? resultWords(game.over.result) : game.facts.title;
    id("banner-words").textContent = game.over ? game.over.reason : game.match ? play.terms() : game.title;
    for (const name of ["rematch", "to-analyse"]) id(name).classList.toggle("main", !!game.over);
  },

  /** Return the players and the time control as text. */
  terms() {
    const names = [0, 1].map((side) => play.player(side) || app.game.facts.colours[side]);
    const { base, increment } = play.clocked ?? {};
    const time = play.clocked ? `${base / 60} min + ${increment} s`
      : `${play.match.time.split(" ")[1]} s per move`;
    return `${names.join(" – ")}, ${time}`;
  },

  /** Take back the person's last move, and the engine's answer with it. */
  async back() {
    const { current, match } = app.game;
    let node = current;
    if (!node.ending) {
      node = node.parent;
      while (node?.parent && match.sides[sideOf(node)].who !== YOU) node = node.parent;
    }
    if (!node) return;
    const ready = () => {
      node.ending = null;
      const next = current.path[node.path.length];
      if (next) next.takenBack = true;
      match.clocks = [...(node.clocks ?? match.clocks)];
      match.waiting = match.sides[sideOf(node)].who !== YOU;
    };
    play.pause();
    await app.go(node, { ready });
  },

  async hint() {
    const move = (event) => {
      if (app.tab !== play || !event.move) return;
      app.point([{ move: event.move, kind: "hint" }]);
      say(`Hint: ${wordsOf(event)}`);
    };
    say("Looking for a hint…");
    const failed = ({ error }) => app.tab === play && say(error, true);
    await new Search("hint", { move, failed }).start({
      ...app.game.body(), engine: 0, movetime: HINT });
  },

  now() {
    if (play.thinking) {
      play.hurried = true;
      play.goOn?.();
      play.search.stop(true);
      return;
    }
    play.match.waiting = false;
    play.since = performance.now();
    guarded(play.think)(app.game.current.view.side);
  },

  pass() {
    return play.move(app.game.current.view.moves[0].move);
  },

  async resign() {
    const sure = await ask("End this game?", [{ label: "Resign", value: "yes" },
      { label: "Offer a draw", value: "draw" }, { label: "Play on", value: "no" }]);
    if (sure === "draw") return play.offer();
    if (sure !== "yes") return null;
    if (play.match.waiting) await app.go(app.game.through().at(-1) ?? app.game.root); // the last position
    if (app.game.over) return null;
    const side = app.game.current.view.side;
    return play.end(play.match.sides[side].who === YOU ? side : 1 - side, "resigns");
  },

  /** Start the same game again with sides swapped. */
  rematch() {
    const { sides, time } = play.match;
    return play.fresh(app.game.setup, { sides: [...sides].reverse(), time });
  },

  tick() {
    const { game } = app;
    if (!game) return;
    const { side } = game.current.view;
    const { used } = play;
    for (const box of document.querySelectorAll(".player")) {
      const own = Number(box.dataset.side);
      const left = play.match.clocks[own] - (own === side ? used : 0);
      const text = play.clocked && app.tab === play ? clockText(left) : game.clockOf(own);
      const clock = box.querySelector(".clock");
      if (clock.textContent !== text) clock.textContent = text;
    }
    if (used && !play.moving && play.match.clocks[side] < used) {
      play.match.clocks[side] = 0;
      play.end(side, "ran out of time");
    }
  },

  // ---- a new game -------------------------------------------------------------------

  shown: () => app.game && app.refresh(),

  /** Put a new game on the board.  players: {sides, time}. */
  fresh: (setup, players = play.usual) => opening(play.begin)(new Game(setup), players),

  /** Play on from the position on the board as a new game. */
  async here(players) {
    const game = app.game.branch();
    await app.show("play");
    await opening(play.begin)(game, players);
  },

  async begin(game, players) {
    const { sides, time } = game.match = newMatch(players);
    game.players = [0, 1].map((side) => playerOf(sides, side));
    const ready = () => {
      play.usual = { sides, time };
      const { bottom } = game.facts.looks;
      app.flipped = sides[bottom].who !== YOU && sides[1 - bottom].who === YOU;
    };
    await app.go(game.current, { game, ready });
  },

  /** Return the match of a saved game; engines wait if time runs, moves follow, or they waited before. */
  resumed: (match, node) => ({ ...newMatch(match), clocks: [...match.clocks],
    waiting: Boolean(match.waiting || node.children.length || match.time.startsWith("clock")) }),

  /** Pause the game while another tab is shown. */
  left: () => play.pause(),

  start() {
    app.leaving.push((other) => other && play.halt());
    for (const name of ["back", "hint", "now", "pass", "resign", "rematch"])
      id(name).addEventListener("click", guarded(play[name]));
    setInterval(play.tick, 100);
  },
};

function newMatch({ sides, time }) {
  const [kind, base] = time.split(" "), left = kind === "clock" ? Number(base) : 0;
  return { sides: sides.map(available), time, clocks: [left, left], waiting: false };
}

/** Return a player's name: "" if a person plays both sides. */
function playerOf(sides, side) {
  const { who, strength } = sides[side];
  if (who === YOU) return sides[1 - side].who === YOU ? "" : "You";
  const level = strength === "full" ? "" : `, ${levelWords(strength)}`;
  return app.facts.engines[who] + level;
}

/** Return a side's player; the first engine instead if the server no longer has the side's engine. */
function available(side) {
  const { who, name } = side, { engines } = app.facts;
  const known = engines[who] && engines[who] === (name ?? engines[who]);
  return who === YOU || known ? side : { ...side, who: 0 };
}

function sideOf(node) {
  return node.view ? node.view.side : 1 - node.side;
}

function clockText(seconds) {
  const left = Math.max(0, seconds);
  return left < 20 ? `0:${left.toFixed(1).padStart(4, "0")}` : minutes(left);
}
