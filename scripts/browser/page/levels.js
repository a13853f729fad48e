// Named levels of an engine's strength.

const LEVELS = [["beginner", 0], ["novice", 4], ["casual", 7], ["club player", 10],
  ["strong", 14], ["expert", 17]];

/** Return the strengths to choose from: [{value, words}].  rated: add a rough Elo, as in chess. */
export function strengths(rated) {
  const named = LEVELS.map(([name, level]) => {
    const elo = 800 + 70 * level; // as the engine maps UCI_Elo to its levels
    return { value: `skill ${level}`, words: rated ? `${name} (Elo ${elo})` : name };
  });
  const full = { value: "full", words: "full strength" };
  return [...named, full];
}

/** Return a strength as text: "casual", "level 3", "Elo 1500". */
export function levelWords(strength) {
  const [kind, value] = strength.split(" ");
  if (kind === "elo") return `Elo ${value}`;
  return LEVELS.find(([, level]) => level === Number(value))?.[0] ?? `level ${value}`;
}
