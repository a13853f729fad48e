"""Who stands where: points, colours, faults, pairs and the cross table, from results (job.py)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scripts.arena import elo
from scripts.arena.schedule import game_id

if TYPE_CHECKING:
    from scripts.jobs.run import Result

_POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
FAULTS = ("illegal move", "time forfeit", "crash", "stall", "refusal")


class Standings:
    """The state of a tournament between players with these names."""

    def __init__(self, names: list[str]) -> None:
        self.names = list(names)
        # per game id: points of its players, what makes it differ from others
        self._points: dict[str, dict[str, float]] = {}
        self._games: dict[str, tuple[Any, ...]] = {}
        # what makes a game differ -> id of the first such game
        self._first: dict[tuple[Any, ...], str] = {}
        self.results: list[Result] = []

    def add(self, result: Result) -> None:
        """Count a result."""
        self.results.append(result)
        self._games[result["id"]] = _game(result)
        self._first.setdefault(_game(result), result["id"])
        self._points[result["id"]] = dict(zip(result["players"], _POINTS[result["result"]]))

    def tally(self, name: str, other: str | None = None) -> tuple[int, int, int]:
        """(wins, draws, losses) of a player, against one other or all."""
        counts = [0, 0, 0]
        for points in self._points.values():
            if name in points and (other is None or other in points):
                counts[{1.0: 0, 0.5: 1, 0.0: 2}[points[name]]] += 1
        wins, draws, losses = counts
        return wins, draws, losses

    def faults(self, name: str) -> dict[str, int]:
        """{kind of fault: how often} of a player, kinds that happened only."""
        found: dict[str, int] = {}
        for result in self.results:
            if result["fault"] is not None and result["players"][result["fault"]] == name:
                found[result["termination"]] = found.get(result["termination"], 0) + 1
        return found

    def pairs(self, name: str) -> list[tuple[float, float]]:
        """[(points of game 1, points of game 2)] of a player in the complete pairs."""
        return [points for points, _ in self._pairs(name)]

    def _pairs(self, name: str) -> list[tuple[tuple[float, float], Any]]:
        """[((points of game 1, points of game 2), the two games)] of the complete pairs."""
        found = []
        for result in self.results:
            number, _, rest = result["id"].partition("/")
            players, _, game = rest.rpartition("/")
            if game != "1" or name not in result["players"]:
                continue
            first, other_player = result["players"]
            second = game_id(int(number) - 1, first, other_player, 2)
            if second in self._points:
                games = self._games[result["id"]], self._games[second]
                found.append(((self._points[result["id"]][name], self._points[second][name]),
                              games))
        return found

    def pentanomial(self, name: str) -> list[int]:
        """The five counts (elo.py) of a player's complete pairs."""
        return elo.pentanomial(self.pairs(name))

    def evidence(self, name: str) -> list[float]:
        """The five counts, weighed by the share of pairs that differ from all others.

        Engines that always answer alike play the same game from the same opening again,
        which tells nothing new.
        """
        pairs = self._pairs(name)
        share = len({games for _, games in pairs}) / max(len(pairs), 1)
        return [count * share for count in elo.pentanomial(points for points, _ in pairs)]

    def different(self) -> int:
        """How many of the games differ from all others (in players, start or moves)."""
        return len(set(self._games.values()))

    def twin(self, result: Result) -> str:
        """The id of the first game that went as this one did, move by move.

        Its own id where there was none before.
        """
        return self._first[_game(result)]


def _game(result: Result) -> tuple[Any, ...]:
    return tuple(result["players"]), result["start"], tuple(result["moves"])


def points(tally: tuple[int, int, int]) -> float:
    """Points of (wins, draws, losses)."""
    return tally[0] + tally[1] / 2


def table(standings: Standings) -> list[str]:
    """The cross table as lines, best score first."""
    return _align(rows(standings))


def rows(standings: Standings) -> list[list[str]]:
    """The cross table as rows of texts, the first one the headings, then best score first."""
    def share(name: str) -> float:
        tally = standings.tally(name)
        return points(tally) / max(sum(tally), 1)

    order = sorted(standings.names, key=lambda name: (-share(name), standings.names.index(name)))
    found = [["", "name", "games", "points", "score", "+", "=", "-", "Elo", "95 %", "faults"]
            + [str(rank) for rank in range(1, len(order) + 1)]]
    for rank, name in enumerate(order, 1):
        tally = standings.tally(name)
        found.append([str(rank), name, str(sum(tally)), f"{points(tally):g}",
                      f"{100 * share(name):.1f}%",
                      *map(str, tally), *_elo_cells(standings, name),
                      str(sum(standings.faults(name).values()))]
                     + [_cell(standings, name, other) for other in order])
    return found


def _elo_cells(standings: Standings, name: str) -> list[str]:
    found = elo.elo_interval(standings.evidence(name))
    if found is None:
        return ["-", "-"]
    return [elo_text(found[0]), f"{elo_text(found[1])}..{elo_text(found[2])}"]


def elo_text(value: float) -> str:
    """A difference with its sign; `inf` where there is no bound."""
    return f"{round(value):+d}" if abs(value) != float("inf") else ("+inf" if value > 0 else "-inf")


def _cell(standings: Standings, name: str, other: str) -> str:
    tally = standings.tally(name, other)
    return "x" if name == other else f"{points(tally):g}/{sum(tally)}" if sum(tally) else "."


def _align(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if column == 1 else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def match_lines(standings: Standings) -> list[str]:
    """Elo, likelihood of superiority and pairs of the first player of a match of two."""
    one, other = standings.names
    counts, evidence = standings.pentanomial(one), standings.evidence(one)
    found = elo.elo_interval(evidence)
    if found is None:
        return []
    middle, low, high = map(elo_text, found)
    superior = 100 * (elo.superiority(evidence) or 0.0)
    return [f"Elo of {one} over {other}: {middle}, 95 % within {low}..{high}, "
            f"superior with {superior:.1f} %, pairs 0 1/2 1 3/2 2: {counts}"]


def rating_line(standings: Standings) -> str:
    """Elo and its interval so far, of a match or of each player, in one line.

    "" where no pair is complete.
    """
    if len(standings.names) == 2:
        return "".join(match_lines(standings))
    rated = [(name, elo.elo_interval(standings.evidence(name))) for name in standings.names]
    return ", ".join(f"{name} {elo_text(found[0])} ({elo_text(found[1])}..{elo_text(found[2])})"
                     for name,
                     found in sorted(rated, key=lambda each: -each[1][0] if each[1] else 0)
                     if found)


def repeat_lines(standings: Standings) -> list[str]:
    """How many games there are that tell something, where some only repeat others."""
    count, different = len(standings.results), standings.different()
    if different == count:
        return []
    return [
        f"{different} of {count} games are different, the others repeat them move by move and "
        "count for nothing in the intervals (--openings or --random-plies make games different)"]


def last_lines(standings: Standings) -> list[str]:
    """What follows the table: Elo of a match, repeated games, faults."""
    match = match_lines(standings) if len(standings.names) == 2 else []
    return match + repeat_lines(standings) + fault_lines(standings)


def fault_lines(standings: Standings) -> list[str]:
    """Who failed how often, and how."""
    lines = []
    for name in standings.names:
        found = standings.faults(name)
        if found:
            lines.append(f"{name}: "
                         + ", ".join(f"{kind} {found[kind]}" for kind in FAULTS if kind in found))
    return lines
