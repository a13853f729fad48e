// How strongly an engine plays: levels with names.

const LEVELS = [["beginner", 0], ["novice", 4], ["casual", 7], ["club player", 10],
  ["strong", 14], ["expert", 17]];

/** The strengths to choose from: {value, words}; rated: with a rough Elo, as chess has it. */
export function strengths(rated) {
  const named = LEVELS.map(([name, level]) => {
    const elo = 800 + 70 * level; // as the engine spreads UCI_Elo over its levels
    return { value: `skill ${level}`, words: rated ? `${name} (Elo ${elo})` : name };
  });
  const full = { value: "full", words: "full strength" };
  return [...named, full];
}

/** A strength in words: "casual", "level 3", "Elo 1500". */
export function levelWords(strength) {
  const [kind, value] = strength.split(" ");
  if (kind === "elo") return `Elo ${value}`;
  return LEVELS.find(([, level]) => level === Number(value))?.[0] ?? `level ${value}`;
}
