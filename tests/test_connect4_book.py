"""The Connect Four book: its file, its mirror images, and the correctness of its entries."""
# Not in the fast part of scripts/test.

import functools
import os
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import Engine

from games import notices, registry
from games.base import MAX_SCORE, WIN
from games.connect4 import book
from games.connect4.bits import BOARD, has_four, landing_cell, mirrored, play
from games.connect4.book import LOST, WON
from games.connect4.solver import Connect4Solver, plies_to_end, to_engine
from games.data import DamagedError
from games.grid import count_bits
from scripts.jobs.run import Run
from scripts.lab import connect4_book
from scripts.lab import connect4_book as verdicts
from search import ask
from search.limits import Limits
from search.table import Tables

GAME = registry.get("connect4")
# The positions after these moves are late enough to be solved in a moment.  Walks begin there.
MOVES = ("1616621455211", "13134411534775", "23766176641753", "54676552255627")


def test_results_of_moves_are_known_without_a_search():
    position = GAME.start({})
    assert position.known_results() == {
        column: (score, score)
        for column, score in enumerate([-WIN + 40, -WIN + 42, 0, WIN - 41, 0, -WIN + 42, -WIN + 40])
    }
    position.make(3)  # after a stone in the centre, the results of all columns are known
    assert len(position.known_results()) == 7
    position = GAME.start({})
    for column in (0, 1, 0, 1, 0, 1):
        position.make(column)
    assert position.known_results()[0] == (WIN - 1, WIN - 1)
    assert set(position.known_results().values()) == {(WIN - 1, WIN - 1), (2 - WIN, 2 - WIN)}


@pytest.fixture(scope="module")
def connect4():
    """Yield the engine process that all tests of this file share."""
    engine = Engine("--game", "connect4")
    engine.ask("uci", "uciok")
    yield engine
    engine.close()


def stones(moves):
    mine = mask = 0
    for move in moves:
        mine, mask = play(mine, mask, int(move) - 1)
    return mine, mask


@functools.cache
def small_book():
    """Return (entries, Book) with an entry for the position after each text of MOVES."""
    solver, entries = Connect4Solver(Tables(4).table), {}
    for moves in MOVES:
        mine, mask = stones(moves)
        key, turned = book.canonical(mine, mask)
        if turned:
            mine, mask = mirrored(mine), mirrored(mask)
        score = solver.score(mine, mask)
        entries[key] = score, solver.best_move(mine, mask, score)
    return entries, book.Book(book.unpack(connect4_book.pack(entries)))


def test_a_book_is_read_as_it_was_written(tmp_path):
    entries, _ = small_book()
    path = tmp_path / "book.bin"
    path.write_bytes(connect4_book.pack(entries))
    assert connect4_book.read_entries(str(path)) == entries
    assert len(book.unpack(path.read_bytes())) == len(entries)
    assert connect4_book.read_entries(str(tmp_path / "none.bin")) == {}
    assert book.load(str(tmp_path / "none.bin")) is book.EMPTY


def test_a_damaged_book_is_refused(tmp_path):
    whole, messages = connect4_book.pack(small_book()[0]), []
    for broken in (
        b"",
        whole[:-1],
        whole[:-8],
        b"XXXX" + whole[4:],
        whole[:20] + bytes([whole[20] ^ 1]) + whole[21:],
    ):
        with pytest.raises(DamagedError):
            book.unpack(broken)
    path = tmp_path / "broken.bin"
    path.write_bytes(whole[:-1])
    notices.listen(messages.append)
    try:
        assert book.load(str(path)) is book.EMPTY
        assert [str(path) in text and "damaged" in text for text in messages] == [True]
    finally:
        notices.listen(notices.on_stderr)


def test_mirror_images_share_an_entry():
    _, small = small_book()
    for moves in MOVES:
        low, high, column = small.entry(*stones(moves))
        image = "".join(str(8 - int(move)) for move in moves)
        assert small.entry(*stones(image)) == (low, high, 6 - column)
    assert small.entry(*stones("12")) is None and small.bounds(*stones("12"), 1) is None


def test_a_position_is_scored_by_the_entries_of_all_its_successors():
    solver = Connect4Solver(Tables(4).table)
    mine, mask = stones(MOVES[2])
    entries = {}
    for column in range(7):
        after = play(mine, mask, column)
        if after[1] != mask and not has_four(after[0] ^ after[1]):
            key, turned = book.canonical(*after)
            upright = tuple(map(mirrored, after)) if turned else after
            score = solver.score(*upright)
            entries[key] = score, solver.best_move(*upright, score)
    known = book.Book(book.unpack(connect4_book.pack(entries)))
    score = solver.score(mine, mask)
    assert known.entry(mine, mask) is None and known.bounds(mine, mask, 1) == (score, score)
    kept = known.best_move(mine, mask, score)
    assert solver.move_bound(mine, mask, kept, score - 1) >= score


def shipped():
    entries = connect4_book.read_entries(book.PATH)
    assert entries, "the engine must ship with a book"
    return entries


def test_the_shipped_book_is_small_and_its_entries_are_in_range():
    entries = shipped()
    assert os.path.getsize(book.PATH) <= 300_000
    assert all(
        (-21 <= score <= 21 or score in (WON, LOST)) and 0 <= column < 7
        for score, column in entries.values()
    )


def test_bounds_from_an_entry_with_only_the_winner_contain_the_score():
    solver, entries = Connect4Solver(Tables(4).table), {}
    for moves in MOVES:
        mine, mask = connect4_book.split(book.canonical(*stones(moves))[0])
        score = solver.score(mine, mask)
        sign = (score > 0) - (score < 0)
        entries[mine + mask] = (LOST, 0, WON)[sign + 1], solver.best_move(mine, mask, score)
        low, high, _ = book.Book(book.unpack(connect4_book.pack(entries))).entry(mine, mask)
        assert (
            low <= score <= high and low > 0
            if sign > 0
            else high < 0
            if sign < 0
            else low == high == 0
        )


def test_quickly_solved_entries_of_the_shipped_book_are_right():
    known, solver = book.load(), Connect4Solver(Tables(16).table)
    for key in sorted(shipped(), key=lambda key: -count_bits(key))[:8]:
        mine, mask = connect4_book.split(key)
        low, high, column = known.entry(mine, mask)
        solver.begin(lambda nodes: nodes + 1000 if nodes < 50_000 else 1 / 0)
        try:
            assert low <= solver.score(mine, mask) <= high
            assert solver.move_bound(mine, mask, column, low - 1) >= low
        except ZeroDivisionError:
            continue


def search(moves, limits, options):
    """Return the Lines of a search after these moves."""
    pos, limits = GAME.start({}), Limits(**limits)
    for move in moves:
        pos.make(int(move) - 1)
    return ask(pos, limits, options, megabytes=1).lines


def answer(moves, **limits):
    return search(moves, limits, {"OwnBook": True})[0]


def test_the_first_move_comes_from_the_book():
    line = answer("", depth=1)
    assert line.exact and line.moves[0] == 3
    assert 0 < line.score, "the first player wins"


def test_a_key_converts_back_to_stones():
    for moves in MOVES + ("", "4", "444444", "123456711"):
        mine, mask = stones(moves)
        assert connect4_book.split(mine + mask) == (mine, mask)


@pytest.mark.parametrize(
    "moves, column", [("212422444655", 4), ("143544446557", 5), ("142225334546", 6)]
)
def test_the_book_has_wins_that_a_short_search_misses(moves, column):
    # Only this column wins; without the book a search needs 450,000 to 740,000 nodes to find it.
    found = answer(moves, nodes=10_000)
    assert found.moves[0] == column and found.score >= WIN - 42


# ---- a score from the book claims no more than its entry proves --------------------------------

# Positions whose entries have only the winner: (moves, length of the quickest win, its columns).
QUICK_WINS = [("3344", 2, "25"), ("33414332", 3, "6"), ("3423345", 4, "5")]
LIMITS = (
    "depth 3|depth 8|depth 30|nodes 100|nodes 10000|movetime 300|wtime 3000 btime 3000|mate 2|mate 9"
    "|infinite"
).split("|")


def square(moves, column):
    return "abcdefg"[int(column) - 1] + str(1 + moves.count(column))


def final_info(lines):
    return [line for line in lines if line.startswith("info depth")][-1]


@pytest.mark.parametrize(
    "moves, mate, columns, limit",
    [
        (*position, limit)
        for position in QUICK_WINS
        for limit in LIMITS
        if limit not in ("depth 3", "mate 2") or position[1] == 2
    ],
)
def test_a_quick_win_is_played_even_if_the_book_has_only_the_winner(
    connect4, moves, mate, columns, limit
):
    connect4.send("ucinewgame", f"position startpos moves {' '.join(moves)}", f"go {limit}")
    if limit == "infinite":
        connect4.until(rf"info .* score mate {mate} nodes .*")
        connect4.send("stop")
    lines = connect4.until("bestmove .*")
    assert lines[-1].split()[1] in [f"P@{square(moves, column)}" for column in columns]
    assert limit == "infinite" or f" score mate {mate} nodes " in final_info(lines)


@pytest.mark.parametrize("limit", ["depth 1", "nodes 1", "mate 1", "depth 5"])
def test_a_win_that_may_be_shorter_is_reported_as_a_bound(connect4, limit):
    # The book's entry after the moves 1 2 4 names only the winner.  A search for the length of the win
    # would visit millions of positions.
    connect4.send("ucinewgame", "position startpos moves 1 2 4", f"go {limit}")
    info = final_info(connect4.until("bestmove .*"))
    assert re.search(r" score mate -?\d+ (lower|upper)bound ", info), info


def best_within(mine, mask, plies):
    """Return the score of a win or loss forced within `plies`, or None, by plain minimax."""
    left = count_bits(BOARD ^ mask)
    if plies == 0 or not left:
        return None
    values = [
        value_within(mine, mask, column, plies) for column in range(7) if landing_cell(mask, column)
    ]
    known = [value for value in values if value is not None]
    best = max(known, default=None)
    return best if known and (best > 0 or len(known) == len(values)) else None


def value_within(mine, mask, column, plies):
    """Return the result of best_within() for one move."""
    after = play(mine, mask, column)
    if has_four(after[0] ^ after[1]):
        return count_bits(BOARD ^ mask) + 1 >> 1
    value = best_within(*after, plies - 1)
    return None if value is None else -value


def random_positions(count, seed):
    """Return [(moves, stones)] of random unfinished positions after 4 to 12 plies."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        moves, position = "", (0, 0)
        for _ in range(rng.randint(4, 12)):
            column = rng.choice(
                [column for column in range(7) if landing_cell(position[1], column)]
            )
            moves, position = moves + str(column + 1), play(*position, column)
            if has_four(position[0] ^ position[1]):
                break
        else:
            found.append((moves, position))
    return found


@pytest.mark.parametrize("kind", ["depth", "nodes", "mate", "MultiPV", "moves", "OwnBook"])
def test_a_mate_reported_without_a_bound_is_exact(kind):
    rng = random.Random(7)
    for moves, (mine, mask) in random_positions(6, seed=len(kind)):
        legal = [column for column in range(7) if landing_cell(mask, column)]
        options, limits = {"OwnBook": kind != "OwnBook"}, {"moves": legal}
        if kind == "MultiPV":
            options["MultiPV"] = rng.randint(2, 7)
        elif kind == "moves":
            limits["moves"] = rng.sample(legal, rng.randint(1, len(legal)))
        limits.update(
            rng.choice([{"depth": rng.randint(4, 6)}, {"nodes": 2000}, {"mate": 3}])
            if kind not in ("depth", "nodes", "mate")
            else {kind: {"depth": 6, "nodes": 500, "mate": 2}[kind]}
        )
        lines = search(moves, limits, options)
        values = {column: value_within(mine, mask, column, 4) for column in limits["moves"]}
        best = max((value for value in values.values() if value is not None), default=0)
        left = count_bits(BOARD ^ mask)
        if (
            best > 0
            and limits.get("depth", 9) >= plies_to_end(best, left)
            and 2 * limits.get("mate", 9) > plies_to_end(best, left)
        ):
            assert values[lines[0].moves[0]] == best, (moves, limits)
        for line in lines:
            value = values[line.moves[0]]
            if value is not None and abs(line.score) > MAX_SCORE:
                exact = to_engine(value, left)
                assert (
                    line.score <= exact
                    if line.bound == "lower"
                    else line.score >= exact
                    if line.bound == "upper"
                    else line.score == exact
                ), (moves, limits, line.moves)
            elif abs(line.score) > MAX_SCORE and not line.bound:
                assert WIN - abs(line.score) > 4, (moves, limits, line.moves)


# ---- the script that extends the book and checks it ----------------------------------------------


def sign(score):
    """Return 1, 0 or -1 for a score that wins, draws or loses."""
    return (score > 0) - (score < 0)


def upright(moves):
    return verdicts.split(book.canonical(*stones(moves))[0])


def running(work):
    """Return a Run with one thread."""
    return Run(getattr(verdicts, work), lambda: ThreadPoolExecutor(1), 1)


def walked(max_nodes, easy=None, entries=None, after=MOVES, exact=False):
    """Walk to ply 18 from the positions to which the lines in `after` lead.

    Return (entries, easy positions, keys of the easy positions that the walk found).  The arguments are
    those of connect4_book.Walk.
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
    """Return the result of a walk with 300 nodes per position.  The tests share it and must not change it."""
    return walked(300)


def checked(entries, done=()):
    """Return {key of an entry: whether the check confirmed it}."""
    return dict(verdicts.check(entries, running("prove"), set(done), verdicts.Progress(60), 4))


def test_a_walk_finds_the_winner_of_every_entry(found):
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


def test_a_walk_resumes_where_it_stopped(found):
    entries, easy, _ = found
    again, easy_again, kept = walked(300, dict(easy), dict(entries))
    assert (again, easy_again, kept) == (entries, easy, [])


def test_the_check_of_a_book_finds_wrong_entries(found):
    entries, _, _ = found
    outcomes = checked(entries)
    assert outcomes.keys() == entries.keys() and all(outcomes.values())
    won = next(key for key, (score, _) in entries.items() if score == WON)
    for wrong in (0, LOST):
        assert checked({won: (wrong, entries[won][1])}) == {won: False}
