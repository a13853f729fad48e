"""The table and the games of a tournament as one HTML page, the page of scripts/board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.records.json_lines import from_plain
from protocol.records.record import RecordError
from scripts.arena import standings as tables
from scripts.arena.standings import Standings
from scripts.command_line import clean
from scripts.jobs.worker import ResultData

SHOWN = 100  # number of games, the newest ones, that can be opened


class Page:
    """A page that is written repeatedly during a tournament; each game is prepared only once."""

    def __init__(self) -> None:
        self._games: dict[str, dict[str, Any]] = {}

    def text(self, standings: Standings, title: str, results: Sequence[ResultData]) -> str:
        """Return the HTML text; title: what is played; results: the newest ones, latest last."""
        from scripts.pages import embed  # late, since most tournaments make no page

        newest = results[-SHOWN:]
        self._games = {
            result["id"]: self._games.get(result["id"]) or _drawn(result) for result in newest
        }
        title = clean(str(title))
        news = {"file": title, "count": standings.count, **news_of(standings, newest)}
        return embed.html([game for game in self._games.values() if game], title, news)


def news_of(standings: Standings, newest: Sequence[ResultData]) -> dict[str, Any]:
    """Return the state as a page shows it: a table of texts, lines below it, games newest first."""
    return {
        "rows": [[clean(text) for text in row] for row in tables.rows(standings)],
        "lines": [clean(line) for line in tables.last_lines(standings)],
        "games": [listed(result) for result in reversed(newest)],
    }


def _drawn(result: ResultData) -> dict[str, Any]:
    """Return a game with its positions; without any if it can't be replayed."""
    from scripts.pages import embed, records

    try:
        return {**embed.with_views(records.plain_game(from_plain(result))), "id": result["id"]}
    except RecordError:
        return {}


def listed(game: ResultData) -> dict[str, Any]:
    """Return the entry of a finished or running game in the list of games."""
    return {
        "id": game["id"],
        "game": game["game"],
        "players": game["players"],
        "result": game.get("result", "*"),
        "reason": game.get("reason", ""),
        "moves": len(game["moves"]),
    }
