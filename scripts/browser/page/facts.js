// What the server says of games and engines, once: see `games` in interface.py.

export const facts = {};

/** Take what the server, or the page itself, says. */
export function useFacts(given) {
  Object.assign(facts, given);
}

/** The facts of a game: its title, colours, looks and options. */
export const factsOf = (name) => facts.games.find((game) => game.name === name);
