// How commands and events travel: to a server over HTTP, to workers of the browser by messages, or
// nowhere if the page is a file.  All other modules use only what is exported here.

import { Workers } from "./workers.js";

const data = document.getElementById("data");
const given = data ? JSON.parse(data.textContent) : {}; // answers to commands, by their names
export const embedded = Boolean(given.embedded); // the page is a file that holds its own games
const page = data ? "" : crypto.randomUUID();
const listeners = new Map();
const AGAIN = 2000; // milliseconds between attempts to reconnect
const FILE = "This page is a file and has no engine: start scripts/board.";
const ENDED = "The server has stopped: start scripts/board again.";

export const connection = { lost: "" }; // why the connection was lost

/** A page that has some answers itself; workers take all other commands, and send the events. */
const site = {
  answer: (command, body) => given[command] ?? (embedded ? { error: FILE }
    : site.workers.answer(command, body)),

  open(take) {
    site.workers = new Workers(given, take);
    take({ type: "hello" });
  },
};

/** A server takes a command by POST, and sends events as a stream (server-sent events). */
const server = {
  async answer(command, body) {
    try {
      const answer = await fetch(`api/${command}`, {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ page, ...body }),
      });
      return await answer.json();
    } catch {
      return { error: ENDED };
    }
  },

  /** Take events until the stream ends: call take(event), and at last ended(reason). */
  open(take, ended) {
    const stream = new EventSource(`events/${page}`);
    const end = (reason) => {
      stream.close();
      ended(reason);
    };
    stream.onerror = () => end(ENDED);
    stream.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.type === "refused") end(event.error);
      else take(event);
    };
  },
};

const transport = data ? site : server;

/** Send a command; resolve to its answer, or throw an Error with the reason. */
export async function call(command, body = {}) {
  const found = await transport.answer(command, body);
  if (found.error) throw new Error(found.error);
  return found;
}

/** Call `listener` for each event of one type. */
export function listen(type, listener) {
  listeners.set(type, [...(listeners.get(type) ?? []), listener]);
}

function tell(event) {
  for (const listener of listeners.get(event.type) ?? []) listener(event);
}

/** Connect to the events; resolve when they have begun.  If the connection breaks (event "lost"),
 * as after sleep or a restart of the server, reconnect until it works. */
export function connect() {
  return new Promise((resolve, reject) => {
    let greeted = false;
    const take = (event) => {
      if (event.type === "hello") {
        greeted = true;
        connection.lost = "";
        resolve();
      }
      if (event.type === "lost") connection.lost = event.error;
      tell(event);
    };
    transport.open(take, (reason) => {
      const former = connection.lost;
      connection.lost = reason;
      if (!former) tell({ type: "lost", error: reason });
      if (greeted || former) setTimeout(() => connect().catch(() => {}), former ? AGAIN : 0);
      else reject(new Error(reason));
    });
  });
}
