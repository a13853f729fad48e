"""Who stands where: points, colours, faults, pairs and the cross table, from results (job.py)."""
from __future__ import annotations

from scripts.arena import elo
from scripts.arena.schedule import game_id

_POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
FAULTS = ("illegal move", "time forfeit", "crash", "stall", "refusal")


class Standings:
    """The state of a tournament between players with these names."""

    def __init__(self, names):
        self.names = list(names)
        self._points = {}       # game id -> points of its two players in the order of `players`
        self.results = []

    def add(self, result):
        """Count a result."""
        self.results.append(result)
        self._points[result["id"]] = dict(zip(result["players"], _POINTS[result["result"]]))

    def tally(self, name, other=None):
        """(wins, draws, losses) of a player, against one other or all."""
        counts = [0, 0, 0]
        for points in self._points.values():
            if name in points and (other is None or other in points):
                counts[{1.0: 0, 0.5: 1, 0.0: 2}[points[name]]] += 1
        return tuple(counts)

    def faults(self, name):
        """{kind of fault: how often} of a player, kinds that happened only."""
        found = {}
        for result in self.results:
            if result["fault"] is not None and result["players"][result["fault"]] == name:
                found[result["termination"]] = found.get(result["termination"], 0) + 1
        return found

    def pairs(self, name, other=None):
        """[(points of game 1, points of game 2)] of a player in the complete pairs, against one other or all."""
        found = []
        for result in self.results:
            number, _, rest = result["id"].partition("/")
            players, _, game = rest.rpartition("/")
            if game != "1" or name not in result["players"] or (other and other not in result["players"]):
                continue
            second = self._points.get(game_id(int(number) - 1, *result["players"], 2))
            if second is not None:
                found.append((self._points[result["id"]][name], second[name]))
        return found

    def pentanomial(self, name, other=None):
        """The five counts (elo.py) of a player's complete pairs."""
        return elo.pentanomial(self.pairs(name, other))


def points(tally):
    """Points of (wins, draws, losses)."""
    return tally[0] + tally[1] / 2


def table(standings):
    """The cross table as lines, best score first."""
    def share(name):
        tally = standings.tally(name)
        return points(tally) / max(sum(tally), 1)

    order = sorted(standings.names, key=lambda name: (-share(name), standings.names.index(name)))
    rows = [["", "name", "games", "points", "score", "+", "=", "-", "Elo", "95 %", "faults"]
            + [str(rank) for rank in range(1, len(order) + 1)]]
    for rank, name in enumerate(order, 1):
        tally = standings.tally(name)
        rows.append([str(rank), name, str(sum(tally)), f"{points(tally):g}", f"{100 * share(name):.1f}%",
                     *map(str, tally), *_elo_cells(standings, name), str(sum(standings.faults(name).values()))]
                    + [_cell(standings, name, other) for other in order])
    return _align(rows)


def _elo_cells(standings, name):
    found = elo.elo_interval(standings.pentanomial(name))
    if found is None:
        return ["-", "-"]
    return [elo_text(found[0]), f"{elo_text(found[1])}..{elo_text(found[2])}"]


def elo_text(value):
    """A difference with its sign; `inf` where there is no bound."""
    return f"{round(value):+d}" if abs(value) != float("inf") else ("+inf" if value > 0 else "-inf")


def _cell(standings, name, other):
    tally = standings.tally(name, other)
    return "x" if name == other else f"{points(tally):g}/{sum(tally)}" if sum(tally) else "."


def _align(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if column == 1 else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def match_lines(standings):
    """Elo, likelihood of superiority and pairs of the first player of a match of two."""
    one, other = standings.names
    counts = standings.pentanomial(one)
    found = elo.elo_interval(counts)
    if found is None:
        return []
    return [f"Elo of {one} over {other}: {elo_text(found[0])}, 95 % within {elo_text(found[1])}..{elo_text(found[2])}, "
            f"superior with {100 * elo.superiority(counts):.1f} %, pairs 0 1/2 1 3/2 2: {counts}"]


def fault_lines(standings):
    """Who failed how often, and how."""
    lines = []
    for name in standings.names:
        found = standings.faults(name)
        if found:
            lines.append(f"{name}: " + ", ".join(f"{kind} {found[kind]}" for kind in FAULTS if kind in found))
    return lines
