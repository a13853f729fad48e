"""The script that extends the Connect Four book and checks it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from games.connect4 import book
from games.connect4.bits import has_four, play
from games.connect4.book import LOST, WON
from games.connect4.solver import Connect4Solver
from scripts.jobs.run import Run
from scripts.lab import connect4_book as verdicts
from search.table import Tables

# The walk begins after these moves, so that few positions are left to solve.
MOVES = ("1616621455211", "13134411534775", "23766176641753", "54676552255627")


def sign(score):
    """Return 1, 0 or -1 for a score that wins, draws or loses."""
    return (score > 0) - (score < 0)


def upright(moves):
    mine = mask = 0
    for move in moves:
        mine, mask = play(mine, mask, int(move) - 1)
    return verdicts.split(book.canonical(mine, mask)[0])


def running(work):
    """Return a Run with one thread."""
    return Run(getattr(verdicts, work), lambda: ThreadPoolExecutor(1), 1)


def walked(max_nodes, easy=None, entries=None, after=MOVES, exact=False):
    """Walk from the positions after the lines `after` to ply 18.

    Return (entries, easy positions, keys of the easy positions that the walk found), as in verdicts.Walk.
    """
    entries, easy, kept = {} if entries is None else entries, {} if easy is None else easy, []
    walk = verdicts.Walk(entries, easy, max_nodes, 4, verdicts.Progress(60), exact)
    levels = {}
    for moves in after:
        levels.setdefault(len(moves), {})[upright(moves)] = 1.0
    walk.go(running("classify"), levels, 18, kept.append)
    return entries, easy, [key for key in kept if key is not None]


@pytest.fixture(scope="module")
def found():
    """Return the result of a walk with 300 nodes, which tests must not change."""
    return walked(300)


def checked(entries, done=()):
    """Return {key of an entry: whether the check confirmed it}."""
    return dict(verdicts.check(entries, running("prove"), set(done), verdicts.Progress(60), 4))


def test_the_walk_finds_the_winners(found):
    entries, easy, kept = found
    assert entries and easy and sorted(kept) == sorted(easy) and not entries.keys() & easy.keys()
    solver = Connect4Solver(Tables(4).table)
    for key, (score, column) in list(entries.items()) + [
        (key, (verdicts.VERDICTS[value], column))
        for key, (value, columns) in easy.items()
        for column in columns
    ]:
        mine, mask = verdicts.split(key)
        exact = solver.score(mine, mask)
        assert score == (0, WON, LOST)[sign(exact)]
        after = play(mine, mask, column)
        if not has_four(after[0] ^ after[1]):
            assert sign(-solver.score(*after)) == sign(exact)


def test_the_walk_resumes_where_it_stopped(found):
    entries, easy, _ = found
    again, easy_again, kept = walked(300, dict(easy), dict(entries))
    assert (again, easy_again, kept) == (entries, easy, [])


def test_the_check_finds_wrong_entries(found):
    entries, _, _ = found
    outcomes = checked(entries)
    assert outcomes.keys() == entries.keys() and all(outcomes.values())
    won = next(key for key, (score, _) in entries.items() if score == WON)
    for wrong in (0, LOST):
        assert checked({won: (wrong, entries[won][1])}) == {won: False}
