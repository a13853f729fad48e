// The page as a file: it holds the annotated games and needs no server.

import { app, guarded } from "./app.js";
import { element, id } from "./dom.js";
import { fromRecord } from "./game.js";
import { call } from "./server.js";
import { watch } from "./watch.js";

const SHOWN_TAGS = ["event", "ev", "date", "dt", "round", "ro"];

/** Show the file's games: one at a time, or with their tournament's standings. */
export async function showReport() {
  document.body.classList.add("report");
  const { games, tournament, title } = await call("embedded");
  document.title = title;
  id("report-title").textContent = title;
  if (tournament) {
    watch.opened = new Map(games.map((game) => [game.id, game]));
    watch.news = tournament;
    await app.show("watch");
    await watch.shown();
    watch.draw();
  } else {
    await app.show("analyse");
  }
  const made = games.map(fromRecord);
  const here = /^#(\d+)\.(\d+)$/.exec(location.hash);
  const chosen = Math.min(made.length, Number(here?.[1] ?? 1)) - 1;
  if (!tournament && made.length > 1) {
    id("which-game").hidden = false;
    id("chosen").replaceChildren(...games.map((game, number) =>
      element("option", { value: number }, `${number + 1}. ${game.title}`)));
    id("chosen").value = chosen;
    id("chosen").addEventListener("change", guarded(() => show(made, Number(id("chosen").value))));
  }
  app.changed = () => {
    const number = made.indexOf(app.game);
    if (number >= 0)
      history.replaceState(null, "", `#${number + 1}.${app.game.current.path.length}`);
  };
  if (!tournament) await show(made, chosen, Number(here?.[2] ?? 0));
}

/** Show a game after `ply` moves of its main line. */
async function show(made, number, ply = 0) {
  id("bar").hidden = false;
  const game = made[number], way = [game.root, ...game.through(game.root)];
  const tags = Object.entries(game.tags ?? {}).filter(([name, value]) =>
    SHOWN_TAGS.includes(name.toLowerCase()) && /[^?.]/.test(value)).map(([, value]) => value);
  id("report-facts").textContent = [game.facts.title, ...tags].join(" · ");
  const players = game.players.map((name, side) => name || game.facts.colours[side]);
  id("report-title").textContent = players.join(" – ");
  await app.go(way[Math.min(ply, way.length - 1)], { game });
}
