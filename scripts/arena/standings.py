"""The standings: points, colours, faults, pairs and the cross table, from results (game.py).

Everything is counted when a result is added, so reading the standings costs the same after a
hundred thousand games as after ten.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from protocol.records.record import RESULTS
from scripts.arena import elo
from scripts.jobs.worker import ResultData

_HALF_POINTS = dict(zip(RESULTS, (2, 0, 1)))  # half points of the first player
FAULTS = ("illegal move", "time forfeit", "crash", "stall", "refusal")
# The headings of the cross table; a column for each opponent follows.
_HEADINGS = ("", "name", "games", "points", "score", "+", "=", "-", "Elo", "95 %", "faults")


class Decision(NamedTuple):
    """A decision of the sequential test: "H0" or "H1", number of pairs, log-likelihood ratio."""

    accepted: str
    pairs: int
    ratio: float


class Player:
    """The results of a player.

    tallies: {opponent: [wins, draws, losses]}.  faults: the number of faults of each kind.
    pairs: the five counts (elo.py) of the complete pairs.  Equal pairs count once: deterministic
    engines repeat the same game from the same opening, and identical games add no information.
    """

    def __init__(self) -> None:
        self.tallies: dict[str, list[int]] = {}
        self.faults: collections.Counter[str] = collections.Counter()
        self.pairs = [0] * 5

    def tally(self) -> list[int]:
        """Return [wins, draws, losses] against all opponents."""
        return [sum(counts) for counts in zip((0, 0, 0), *self.tallies.values())]

    def share(self) -> float:
        """Return the points per game."""
        tally = self.tally()
        return points(tally) / max(sum(tally), 1)


class Standings:
    """The state of a tournament between the players `names`; others are added when they play.

    players: {name: Player}.  count: number of results.
    games: fingerprints of the distinct games (by players, start and moves).
    test: the sequential test of a match, or None.  verdict: its decision, or None.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.players = {name: Player() for name in names}
        self.count = 0
        self.test: elo.Sprt | None = None
        self.verdict: Decision | None = None
        self.games: set[int] = set()
        # Fingerprints of the distinct pairs of games.
        self._kinds: set[int] = set()
        # The pairs whose second game is missing: {(their part of a game's id, the players):
        # ({name: half points} of the first game, its fingerprint)}.
        self._halves: dict[tuple[str, frozenset[str]], tuple[dict[str, int], int]] = {}

    def add(self, result: ResultData) -> None:
        """Count a result."""
        first, second = result["players"]
        game = hash("\n".join((first, second, str(result["start"]), *result["moves"])))
        points = _HALF_POINTS[result["result"]]
        self.count += 1
        self.games.add(game)
        for name, other, own in ((first, second, points), (second, first, 2 - points)):
            player = self.players.setdefault(name, Player())
            player.tallies.setdefault(other, [0, 0, 0])[2 - own] += 1
        if result["fault"] is not None:
            name = result["players"][result["fault"]]
            self.players[name].faults[result["termination"]] += 1
        self._pair(result["id"], {first: points, second: 2 - points}, game)

    def _pair(self, identity: str, scores: dict[str, int], game: int) -> None:
        """Count the pair that a game completes, unless an earlier pair had the same games."""
        # an id joins names by hyphens, so games of other players may have the same id
        pair = identity.rpartition("/")[0], frozenset(scores)
        half = self._halves.pop(pair, None)
        if half is None:
            self._halves[pair] = scores, game
        elif (kind := hash(frozenset((half[1], game)))) not in self._kinds:
            self._kinds.add(kind)
            for name in scores:
                self.players[name].pairs[half[0][name] + scores[name]] += 1

    def first(self) -> Player:
        """Return the player named first, from whose point of view a match is decided."""
        return next(iter(self.players.values()))

    def ratio(self) -> float:
        """Return the log-likelihood ratio of the test."""
        return self.test.ratio(self.first().pairs) if self.test else 0.0

    def decide(self) -> Decision | None:
        """Store and return the verdict if the test has just been decided, else return None."""
        if self.test is None or self.verdict is not None:
            return None
        ratio = self.ratio()
        accepted = self.test.accepted(ratio)
        if accepted is not None:
            self.verdict = Decision(accepted, sum(self.first().pairs), round(ratio, 4))
        return self.verdict


def points(tally: Sequence[int]) -> float:
    """Return the points of [wins, draws, losses]."""
    return tally[0] + tally[1] / 2


def rows(standings: Standings) -> list[list[str]]:
    """Return the cross table as rows of texts: the headings, then the players, best first."""
    order = sorted(standings.players.items(), key=lambda named: -named[1].share())
    lines = [[*_HEADINGS, *map(str, range(1, len(order) + 1))]]
    for rank, (name, player) in enumerate(order, 1):
        tally = player.tally()
        share = f"{100 * player.share():.1f}%"
        row = [str(rank), name, str(sum(tally)), f"{points(tally):g}", share, *map(str, tally)]
        row += [*(_elo_of(player) or "--"), str(sum(player.faults.values()))]
        cells = ["x" if player is other else _cell(player.tallies.get(of)) for of, other in order]
        lines.append(row + cells)
    return lines


def _elo_of(player: Player) -> tuple[str, str] | None:
    """Return (Elo, its interval) as texts, None if no pair is complete."""
    interval = elo.elo_interval(player.pairs)
    return interval and (elo_text(interval[0]), f"{elo_text(interval[1])}..{elo_text(interval[2])}")


def elo_text(value: float) -> str:
    """Return an Elo difference with its sign, `inf` if it is infinite."""
    return f"{round(value, 1) + 0.0:+.1f}"  # adding 0.0 turns -0.0 into 0.0


def _cell(tally: list[int] | None) -> str:
    return f"{points(tally):g}/{sum(tally)}" if tally else "."


def _align(rows: list[list[str]]) -> list[str]:
    """Return the rows as lines: names begin, and numbers end, at the same column."""
    columns = []
    for number, column in enumerate(zip(*rows)):
        width, adjust = max(map(len, column)), str.ljust if number == 1 else str.rjust
        columns.append([adjust(cell, width) for cell in column])
    return ["  ".join(cells).rstrip() for cells in zip(*columns)]


def _match_lines(standings: Standings) -> Iterator[str]:
    """Yield a line about a match's first player: likelihood of superiority, draws, pairs."""
    name, player = next(iter(standings.players.items()))
    tally, superior = player.tally(), elo.superiority(player.pairs)
    if superior is not None:
        draws = f"draws {100 * tally[1] / sum(tally):.1f} %, pairs 0 1/2 1 3/2 2: {player.pairs}"
        yield f"{name} is superior with a likelihood of {100 * superior:.1f} %; {draws}"


def _test_lines(standings: Standings) -> Iterator[str]:
    """Yield a line about the sequential test, if there is one."""
    test, verdict = standings.test, standings.verdict
    if test is None:
        return
    result, ratio = "undecided,", standings.ratio()
    if verdict is not None:
        words = {"H1": f"at least {test.elo1:g} Elo", "H0": f"at most {test.elo0:g} Elo"}
        result = f"{words[verdict.accepted]}, decided after {verdict.pairs} pairs by"
        ratio = verdict.ratio
    bounds = f"({test.low:.2f}..{test.high:.2f})"
    yield f"SPRT {test.elo0:g}..{test.elo1:g} Elo: {result} LLR {ratio:.2f} {bounds}"


def last_lines(standings: Standings) -> Iterator[str]:
    """Yield the lines below the table: Elo of a match, its test, duplicate games, faults."""
    if len(standings.players) == 2:
        yield from _match_lines(standings)
    yield from _test_lines(standings)
    distinct = len(standings.games)
    if distinct < standings.count:
        rule = "identical games add no information and are not counted in the intervals"
        advice = "--openings or --random-plies make games differ"
        yield f"{distinct} of {standings.count} games are distinct; {rule} ({advice})"
    for name, player in standings.players.items():
        if player.faults:
            kinds = [f"{kind} {player.faults[kind]}" for kind in FAULTS if player.faults[kind]]
            yield f"{name}: {', '.join(kinds)}"


def report(standings: Standings) -> str:
    """Return the cross table and the lines below it."""
    return "\n".join([*_align(rows(standings)), *last_lines(standings)])
