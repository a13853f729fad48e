// Searches by the page's engines, and the names of their levels.

import { app, guarded, say } from "./app.js";
import { options } from "./dom.js";
import { facts } from "./game.js";
import { call, listen } from "./transport.js";
import { LAST } from "./workers.js";

const WEAKEST = -5;
const LEVELS = [["first games", -5], ["learner", -3], ["beginner", 0], ["novice", 4], ["casual", 7], ["club player", 10],
  ["strong", 14], ["expert", 17]];

const running = new Map(); // role -> its search
let tickets = 0;

/** One search by the engine of a role (see page_engines.py); it replaces the role's previous search. */
export class Search {
  /** on: {type: function}, called with each event of the search; `lost`: the connection broke. */
  constructor(role, on) {
    Object.assign(this, { role, on: { failed: sayFailed, ...on }, ticket: tickets += 1 });
    running.set(role, this);
  }

  get runs() {
    return running.get(this.role) === this;
  }

  /** Start the search; if the command is refused, the search fails.  body: of the command think. */
  start(body) {
    const { role, ticket } = this;
    return call("think", { ...body, role, ticket }).catch(({ message }) => {
      if (this.runs) this.take({ type: "failed", error: message });
    });
  }

  /** Stop.  move: the search still answers, with its best move so far; otherwise it sends no more events. */
  stop(move = false) {
    if (!this.runs) return;
    if (!move) this.end();
    const { role, ticket } = this;
    call("stop", { role, ticket, move }).catch(() => {});
  }

  end() {
    if (this.runs) running.delete(this.role);
  }

  take(event) {
    if (LAST.includes(event.type)) this.end();
    if (this.on[event.type]) guarded(this.on[event.type])(event);
  }
}

const sayFailed = ({ error }) => say(error, true);

/** Pass events to their searches.  A search ends when its position (or, in reviews, its game) leaves the board. */
export function startSearches() {
  app.leaving.push((other) => {
    for (const search of [...running.values()]) if (other || search.role !== "review") search.stop();
  });
  for (const type of ["lines", "review", ...LAST])
    listen(type, (event) => {
      const search = running.get(event.role);
      if (search?.ticket !== event.ticket) return;
      search.take(type === "failed" ? { ...event, error: `The engine failed: ${event.error}` } : event);
    });
  listen("lost", (event) => {
    const lost = [...running.values()];
    running.clear();
    for (const search of lost) search.take(event);
  });
}

/** Return the engines to choose from, as options of a select. */
export const engineChoices = () => options([...facts.engines.entries()]);

/** Return the strengths to choose from: options of a select.  ratings: of the levels from WEAKEST on. */
export function strengths(ratings) {
  const named = LEVELS.map(([name, level]) =>
    [`skill ${level}`, ratings.length ? `${name} (Elo ${Math.round(ratings[level - WEAKEST])})` : name]);
  return options([...named, ["full", "full strength"]]);
}

/** Return a strength as text: "casual", "level 3". */
export function levelWords(strength) {
  const [, value] = strength.split(" ");
  return LEVELS.find(([, level]) => level === Number(value))?.[0] ?? `level ${value}`;
}
