// The connection to the server: commands as JSON, and this page's events.

const data = document.getElementById("data");
export const embedded = Boolean(data); // the page is a file that holds its own data
const known = embedded ? JSON.parse(data.textContent) : {};
const page = embedded ? "" : crypto.randomUUID();
const listeners = new Map();
const AGAIN = 2000; // milliseconds between attempts to reconnect
const ENDED = "The server has stopped: start scripts/board again.";

export const connection = { lost: "" }; // why the connection was lost

/** Send a command; resolve to its answer, or throw an Error with the reason. */
export async function call(command, body = {}) {
  if (embedded) {
    if (!known[command])
      throw new Error("This page is a file and has no engine: start scripts/board.");
    return known[command];
  }
  let found;
  try {
    const answer = await fetch(`api/${command}`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ page, ...body }),
    });
    found = await answer.json();
  } catch {
    throw new Error(ENDED);
  }
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

/**
 * Connect to the server's events; resolve when it has answered.  If the connection breaks (event
 * "lost"), as after sleep or a restart of the server, reconnect until it works.
 */
export function connect() {
  const socket = new WebSocket(new URL(`events/${page}`, location.href.replace(/^http/, "ws")));
  return new Promise((resolve, reject) => {
    let greeted = false;
    socket.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.type === "hello") {
        greeted = true;
        connection.lost = "";
        resolve();
      }
      tell(event);
    };
    socket.onclose = ({ reason }) => {
      const told = connection.lost;
      connection.lost = reason || ENDED;
      if (!told) tell({ type: "lost", error: connection.lost });
      if (greeted || told) setTimeout(() => connect().catch(() => {}), told ? AGAIN : 0);
      else reject(new Error(connection.lost));
    };
  });
}
