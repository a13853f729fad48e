// The server's interface: commands as JSON, and the events of this page.

const data = document.getElementById("data");
export const embedded = Boolean(data); // the page is a file, with all that it shows
const known = embedded ? JSON.parse(data.textContent) : {};
const page = embedded ? "" : crypto.randomUUID();
const listeners = new Map();
const AGAIN = 2000; // milliseconds until the next try
const ENDED = "The server has ended: start scripts/board again.";

export const connection = { lost: "" }; // why no events come any more

/** Carry out a command; its answer, or an Error in words. */
export async function call(command, body = {}) {
  if (embedded) {
    if (!known[command]) throw new Error("This page is a file: there is no engine behind it.");
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

/** Have `listener` told of the events of one type. */
export function listen(type, listener) {
  listeners.set(type, [...(listeners.get(type) ?? []), listener]);
}

function tell(event) {
  for (const listener of listeners.get(event.type) ?? []) listener(event);
}

/**
 * Begin to listen to the server; resolves when it has answered.  Where it breaks off ("lost"), as
 * it does with a page that slept or a server that is started again, it is tried again and again.
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
