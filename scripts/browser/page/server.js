// The server's interface: commands as JSON, and the stream of events of this page.

export const page = crypto.randomUUID();
const listeners = new Map();

/** Carry out a command; its answer, or an Error in words. */
export async function call(command, body = {}) {
  let answer;
  try {
    answer = await fetch(`api/${command}`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ page, ...body }),
    });
  } catch {
    throw new Error("The server has ended: start scripts/board again.");
  }
  const found = await answer.json();
  if (found.error) throw new Error(found.error);
  return found;
}

/** Have `listener` told of the events of one type. */
export function listen(type, listener) {
  listeners.set(type, [...(listeners.get(type) ?? []), listener]);
}

/** Begin to listen to the server; resolves when it has answered. */
export function connect() {
  const source = new EventSource(`events/${page}`);
  return new Promise((resolve) => {
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.type === "hello") resolve();
      for (const listener of listeners.get(event.type) ?? []) listener(event);
    };
  });
}
