// Facts about games and engines, loaded once: see `games` in interface.py.

export const facts = {};

/** Store the facts from the server or from the page itself. */
export function useFacts(given) {
  Object.assign(facts, given);
}

/** Return the facts about a game: its title, colours, looks and options. */
export const factsOf = (name) => facts.games.find((game) => game.name === name);
