"""The table's memory and contents, and the clock's times."""

import gc
import random
import sys
import weakref
from inspect import getclosurevars
from time import perf_counter
from types import SimpleNamespace

import pytest
from front_end import InProcessEngine
from tables import rows

from games import notices, registry
from games.base import MAX_SCORE, WIN, Position
from games.connect4.solver import Connect4Solver
from games.entry import score_from_table, score_to_table
from games.solver import BudgetSpent
from search import interpreter
from search import limits as limits_module
from search.context import Context
from search.limits import Deadlines, Limits
from search.table import MAKER, Table, Tables, release


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("megabytes", [1, 2, 3, 16, 4096])
def test_a_table_has_as_many_slots_as_fit_its_megabytes(megabytes, packed):
    table = Table(megabytes, packed)
    slots, bytes_a_slot = table.slots, 8 if packed else 16
    assert megabytes << 19 < slots * bytes_a_slot <= (megabytes << 20) + 8
    assert table.mask == slots - 1 and (slots % 2 if packed else slots & table.mask == 0)
    for slot in (1, slots - 1):
        assert table.data[slot] == 0
        table.data[slot] = -(1 << 62) - slot
        assert table.data[slot] == -(1 << 62) - slot
    table.release()


def test_keys_and_data_do_not_overlap_and_hashfull_rises():
    table = Table(1)
    assert table.hashfull() == 0
    for slot in range(table.mask + 1):
        table.keys[slot] = slot + 1
    assert table.hashfull() == 0
    for slot in range(table.mask + 1):
        table.data[slot] = -slot - 1
    assert table.hashfull() == 1000
    assert all(
        table.keys[slot] == slot + 1 and table.data[slot] == -slot - 1
        for slot in range(table.mask + 1)
    )


def test_the_tables_of_a_game_share_its_megabytes():
    kept = {}
    tables = Tables(16, kept)
    half, rest = tables.table("half", 0.5), tables.table("rest")
    assert half.mask == rest.mask and 32 * (half.mask + 1) == 16 << 20
    assert Tables(16, kept).table("half", 0.5) is half
    assert tables.table("late").mask < half.mask, "no memory is left"
    assert tables.table("small", 0.0, extra=2).mask < half.mask


def test_a_table_is_smaller_if_memory_is_short(monkeypatch):
    class Maker:
        def table(self, name, megabytes, packed):
            if megabytes > 4:
                raise OSError("no memory")
            return Table(megabytes, packed)

    words = []
    monkeypatch.setattr(notices, "_listener", [words.append])
    kept = {MAKER: Maker()}
    tables = Tables(32, kept)
    assert tables.table("solver", 0.5).slots == Table(4).slots
    assert tables.table("search").slots == Table(4).slots
    assert words == ["Hash: not enough memory for 16 megabytes, using 4.0"] * 2


def test_released_tables_cannot_be_used_any_more():
    kept = {"other": 1}
    tables = Tables(1, kept)
    table = tables.table("one")
    keys = table.keys
    release(kept)
    assert not kept
    with pytest.raises((ValueError, IndexError)):
        keys[0]


@pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="only CPython frees objects at a known time"
)
def test_a_released_solver_is_freed_even_in_the_oldest_generation():
    kept = {"solver": Connect4Solver(Tables(1).table)}
    search = weakref.ref(getclosurevars(kept["solver"].bound).nonlocals["search"])
    gc.collect()  # moves the search into the oldest generation
    release(kept)
    assert search() is not None, "a search refers to itself"
    interpreter.collect()
    assert search() is None


def test_win_distances_are_converted_between_root_and_node():
    for score in (WIN - 7, 7 - WIN, MAX_SCORE, -MAX_SCORE, 0, 25):
        assert score_from_table(score_to_table(score, 5), 5) == score
    assert score_to_table(WIN - 7, 5) == WIN - 2 and score_to_table(7 - WIN, 5) == 2 - WIN
    assert score_from_table(WIN - 2, 5) == WIN - 7 and score_from_table(25, 3) == 25


def budget(side=0, overhead=0.03, moves_left=None, played=0, **limits):
    clock = Deadlines(Limits(**limits), side, overhead, moves_left=moves_left, played=played)
    return clock.soft_deadline - clock.started, clock.hard_deadline - clock.started


@pytest.mark.parametrize("left", [0.0, 0.01, 0.05, 0.2, 1.0, 10.0, 60.0, 600.0, 7200.0])
@pytest.mark.parametrize("increment", [0.0, 0.01, 0.1, 2.0])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 5, 40, 1000])
def test_no_plan_exceeds_the_clock(left, increment, moves_to_go):
    soft, hard = budget(clocks=(left, None), increments=(increment, 0.0), moves_to_go=moves_to_go)
    assert 0 < soft <= hard
    assert hard <= max(left - 0.03, 0.004)


@pytest.mark.parametrize(
    "moves_left, increment, planned",
    [
        # the buffer is 8 overheads if nothing refills the clock, else 3 overheads
        ((1.0, 1), 1.0, (9.1 * 0.5 + 0.975 * 0.3, 9.1 * 0.5 + 0.975 * 0.3)),
        (None, 1.0, (9.6 / 28 + 0.975 * 0.8, 9.6 * 0.35 + 0.975 * 0.3)),
    ],
)
def test_the_buffer_depends_on_what_refills_the_clock(moves_left, increment, planned):
    found = budget(
        overhead=0.1, moves_left=moves_left, clocks=(10.0, None), increments=(increment, 0.0)
    )
    assert found == pytest.approx(planned, abs=1e-6)


def usual_loss(dice):
    return dice.uniform(0.002, 0.010)


def rare_loss(dice):
    """Return the seconds lost with a move: 0.045 for one random move in twenty, or 0.003."""
    return 0.003 if dice.random() < 0.95 else 0.045


def play_on_the_clock(base, increment, period, moves, loss, moves_left=lambda played: None):
    """Return the seconds left after each of `moves` moves.

    Every tenth move takes the maximum time.  Each move also loses loss(dice) seconds.
    moves_left(played): the game's estimate after `played` moves of the player.
    """
    dice, left, to_go, course = random.Random("clock"), base, period, []
    for move in range(moves):
        shown = max(round(left, 3), 0.001)
        soft, hard = budget(
            overhead=0.04,
            moves_left=moves_left(move),
            played=move,
            clocks=(shown, None),
            increments=(increment, 0.0),
            moves_to_go=to_go,
        )
        left -= (hard if move % 10 == 0 else min(dice.uniform(0.7, 1.8) * soft, hard)) + loss(dice)
        course.append(left)
        left += increment
        if period:
            to_go -= 1
            if to_go == 0:
                left, to_go = left + base, period
    return course


@pytest.mark.parametrize(
    "base, increment, period, moves, late",
    rows("table_and_clock.a_long_game_never_runs_out_of_time"),
)
def test_a_long_game_never_runs_out_of_time(base, increment, period, moves, late):
    """moves: length of a game with usual_loss().  late: length of a game with rare_loss()."""
    assert min(play_on_the_clock(base, increment, period, moves, usual_loss)) > 0
    assert min(play_on_the_clock(base, increment, period, late, rare_loss), default=1) > 0


@pytest.mark.parametrize(
    "base, increment, period", [(10.0, 0.1, None), (60.0, 0.0, None), (30.0, 0.0, 40)]
)
def test_most_of_the_time_is_used(base, increment, period):
    course = play_on_the_clock(base, increment, period, period or 80, lambda dice: 0.003)
    assert course[-1] < 0.1 * base


def share(left, moves_left, moves_to_go=None):
    """Return the share of the clock that is planned for a move."""
    clock = Deadlines(
        Limits(clocks=(left, None), moves_to_go=moves_to_go), 0, 0.04, moves_left=moves_left
    )
    return (clock.soft_deadline - clock.started) / left


def test_the_time_is_shared_among_the_moves_left():
    assert share(60.0, (10.0, 20)) == pytest.approx(0.1, rel=0.02)
    assert share(60.0, None) < 1 / 28
    assert share(60.0, (10.0, 20), moves_to_go=40) == pytest.approx(0.1, rel=0.02)
    assert share(60.0, (10.0, 20), moves_to_go=4) == pytest.approx(0.25, rel=0.02)
    assert share(6.0, (10.0, 20)) > share(6.0, (10.0, 200)), "fewer moves need less in reserve"


def othello_moves(empties_played, seconds, speed=None):
    """Return the number of moves for which Othello plans its time after `empties_played` moves."""
    position = registry.get("othello").start({})
    for _ in range(empties_played):
        position.make(position.legal_moves()[0])
    memory = {} if speed is None else {"othello.solver": SimpleNamespace(speed=speed)}
    return position.moves_left(0, seconds, memory)[0]


def test_othello_plans_until_it_can_be_solved():
    assert othello_moves(0, 60.0) < othello_moves(0, 2.0) < 28
    assert othello_moves(0, 10.0, speed=1e6) < othello_moves(0, 10.0, speed=1e5)
    course = [othello_moves(played, 6.0) for played in range(0, 52, 2)]
    assert course == sorted(course, reverse=True) and course[-1] == 3


def gomoku_moves(played, points=0):
    """Return Gomoku's estimate of the moves left after `played` moves of each player.

    points: the evaluation of the position.
    """
    position = registry.get("gomoku").start({})
    position.evaluate = lambda: points
    for move in position.legal_moves()[: 2 * played]:
        position.make(move)
    return position.moves_left(2 * played, 6.0, {})


def test_gomoku_expects_an_uneven_game_to_be_decided_sooner():
    course = [gomoku_moves(0, points)[0] for points in (0, 40, 80, 1000, 9999)]
    assert course == sorted(course, reverse=True)
    assert course[0] > course[1] > course[2] > course[3] == course[4] >= 2
    assert gomoku_moves(5, -40)[0] == gomoku_moves(0, 40)[0]


@pytest.mark.parametrize("base", [6.0, 20.0])
@pytest.mark.parametrize("points, moves", [(0, 15), (60, 8), (150, 4)])
def test_a_usual_game_of_gomoku_uses_half_of_its_clock(base, points, moves):
    course = play_on_the_clock(
        base, 0.0, None, moves, lambda dice: 0.003, lambda played: gomoku_moves(played, points)
    )
    assert course[-1] < base / 2


@pytest.mark.parametrize("points, share", [(0, 1.0), (60, 0.8), (150, 0.6)])
@pytest.mark.parametrize("base, moves", [(1.0, 75), (2.0, 110), (6.0, 112), (20.0, 112)])
def test_a_long_game_of_gomoku_never_runs_out_of_time(base, moves, points, share):
    def moves_left(played):
        return gomoku_moves(played, points)

    assert min(play_on_the_clock(base, 0.0, None, int(moves * share), usual_loss, moves_left)) > 0


def test_the_default_plan_depends_on_the_board_and_the_move_number():
    class Board(Position):
        def board(self):
            return ["." * 8] * 8

    for played, left in ((0, 32), (20, 22), (50, 64 / 6), (300, 64 / 6)):
        assert Board().moves_left(played, 1.0, {})[0] == left
    assert Position().moves_left(0, 1.0, {}) is None
    fills = registry.get("tictactoe").start({})
    assert fills.moves_left(0, 1.0, {}) == (2.5, 5)


@pytest.mark.parametrize(
    "protocol, lines",
    rows("table_and_clock.every_protocol_uses_the_games_estimate_of_remaining_moves"),
)
def test_every_protocol_uses_the_games_estimate_of_remaining_moves(monkeypatch, protocol, lines):
    shares = []

    class Hurried(Deadlines):
        def _plan(self):
            super()._plan()
            shares.append((self.soft_deadline - self.started) / 60)
            self.soft_deadline = self.hard_deadline = self.started

    monkeypatch.setattr(limits_module, "Deadlines", Hurried)
    engine = InProcessEngine(protocol, "gomoku")
    engine.session.warm_up()
    engine.send(*lines).protocol.end_of_input()
    assert 0.9 < shares[-1] * registry.get("gomoku").start({}).moves_left(0, 60.0, {})[0] < 1


def clock_arguments(monkeypatch, game, *places):
    """Search briefly from `places`, positions in UCI's form; return the arguments given to Deadlines."""
    given = []

    class Recording(Deadlines):
        def __init__(self, *arguments):
            given.append(arguments)
            super().__init__(*arguments)

    engine = InProcessEngine("uci", game).send("isready")
    monkeypatch.setattr(limits_module, "Deadlines", Recording)
    for place in places:
        engine.send(f"position {place}", "go depth 1 wtime 6000 btime 6000")
        assert engine.session.wait(60)
    return given


@pytest.mark.parametrize("moves_to_go, increment", [(None, 0.0), (40, 0.0), (None, 0.1)])
def test_sudden_death_reserves_more_time_the_longer_a_game_has_lasted(moves_to_go, increment):
    limits = {"clocks": (6.0, None), "moves_to_go": moves_to_go, "increments": (increment, 0.0)}
    early, late = (budget(played=played, **limits)[0] for played in (0, 80))
    if moves_to_go or increment:
        assert early == pytest.approx(late)
    else:
        assert 0 < late < early


def test_a_search_counts_the_moves_that_its_side_has_made(monkeypatch):
    games = ("", " moves e2e4 e7e5 g1f3", " moves e2e4 e7e5 g1f3 b8c6")
    given = clock_arguments(monkeypatch, "chess", *[f"startpos{moves}" for moves in games])
    assert [arguments[-1] for arguments in given] == [0, 1, 2]


@pytest.mark.parametrize("left", [0.0, 0.001, 0.01, 0.03, 0.05])
def test_with_less_than_the_overhead_left_the_answer_comes_at_once(left):
    assert budget(overhead=0.04, clocks=(left, 10.0))[1] < 0.0031
    assert budget(overhead=10.0, clocks=(left * 100, 1.0), moves_to_go=1)[1] < 0.0031


@pytest.mark.parametrize("left", [0.3, 0.5, 2.0])
def test_some_overheads_stay_in_reserve_for_a_late_answer(left):
    assert budget(overhead=0.04, clocks=(left, None), moves_to_go=1)[1] <= left - 4 * 0.04


@pytest.mark.parametrize("seconds", [0.001, 0.02, 0.05, 1.0, 60.0])
def test_a_fixed_time_is_used_whatever_the_overhead(seconds):
    for pause in (0.0, 0.001, 0.05, 2.0):
        clock = Deadlines(Limits(movetime=seconds), 0, 10.0, pause=pause)
        for deadline in (clock.soft_deadline, clock.hard_deadline):
            assert 0.9 * seconds <= deadline - clock.started + 1e-9 <= seconds + 2e-9
        assert pause > seconds / 10 or clock.hard_deadline == pytest.approx(
            clock.started + seconds - pause
        )


def test_a_pause_is_subtracted_from_a_fixed_time_per_move():
    clock, other = (
        Deadlines(Limits(clocks=(1.0, 1.0)), 0, 0.03, 0.0, pause) for pause in (0.0, 0.02)
    )
    assert (clock.soft_deadline, clock.hard_deadline) == (other.soft_deadline, other.hard_deadline)
    clock, other = (Deadlines(Limits(movetime=1.0), 0, 0.03, 0.0, pause) for pause in (0.0, 0.02))
    assert clock.hard_deadline - other.hard_deadline == pytest.approx(0.02)


def test_the_clock_of_the_side_to_move_counts():
    assert budget(side=1, clocks=(0.001, 100.0))[1] > 1
    assert budget(side=1, clocks=(5.0, None)) == pytest.approx(
        budget(side=0, clocks=(5.0, None)), abs=0.001
    )
    assert budget(infinite=True, clocks=(1.0, 1.0)) == (float("inf"), float("inf"))


def test_a_fixed_time_per_move_is_used_up_whatever_the_factor():
    clock = Deadlines(Limits(movetime=60.0), 0, start=perf_counter() - 50)
    assert not clock.spent(0.7) and not clock.spent(1.0)
    clock = Deadlines(Limits(movetime=60.0), 0, start=perf_counter() - 60)
    assert clock.spent(1.6)


def test_an_unstable_search_gets_more_time_and_a_stable_one_less():
    planned = budget(clocks=(100.0, None))[0]
    for share, stability, spent in (
        (0.9, 0.7, True),
        (0.9, 1.0, False),
        (1.1, 1.0, True),
        (1.1, 1.6, False),
    ):
        clock = Deadlines(Limits(clocks=(100.0, None)), 0, start=perf_counter() - share * planned)
        assert clock.spent(stability) == spent


def test_pondering_has_no_deadline_until_ponderhit():
    clock = Deadlines(Limits(ponder=True, clocks=(600.0, 600.0)), 0)
    assert clock.seconds_left() is None
    clock.ponderhit()
    assert 0 < clock.seconds_left() < 600


def test_time_spent_pondering_counts_after_ponderhit():
    limits = Limits(ponder=True, clocks=(60.0, 60.0))
    clock, fresh = Deadlines(limits, 0, start=perf_counter() - 30), Deadlines(limits, 0)
    assert not clock.spent() and clock.hard_deadline == float("inf")
    clock.ponderhit()
    fresh.ponderhit()
    planned = fresh.soft_deadline - perf_counter()
    assert clock.spent(1.6) and not fresh.spent()
    # The planned time has passed, so the depth in progress is the last one.
    assert clock.hard_deadline == clock.soft_deadline == pytest.approx(fresh.soft_deadline, abs=0.1)
    assert fresh.hard_deadline > fresh.soft_deadline + planned
    clock = Deadlines(limits, 0, start=perf_counter() - planned / 2)
    clock.ponderhit()
    assert clock.hard_deadline > clock.soft_deadline + planned, (
        "half of the time must not count as all"
    )


def test_a_search_measures_its_late_clock_checks(monkeypatch):
    now = 100.0
    monkeypatch.setattr(limits_module, "perf_counter", lambda: now)
    context = Context(Deadlines(Limits(), 0))
    nodes, gaps = 1, []
    # The time before the first check may go into loading, so it doesn't count.
    for seconds in (7.0, 0.25, 0.5, 0.125):
        now += seconds
        nodes = context.check(nodes)
        gaps.append(context.watch.longest_gap)
    assert gaps == [0.0, 0.25, 0.5, 0.5]


def solver_budget(share, counted=0, **limits):
    limits = Limits(**limits)
    return Context(Deadlines(limits, 0)).budget(share, counted)


def test_a_solver_gives_up_when_its_share_of_the_nodes_is_spent():
    share = solver_budget(0.25, nodes=1000)
    assert share.bounded and share.check(249) == 250 and not share.spent(249)
    with pytest.raises(BudgetSpent):
        share.check(250)
    share.allow(0.5)
    assert share.check(499) == 500
    share.allow(1.0)
    # BudgetSpent is raised before Stopped, so that a solver can report its results.
    with pytest.raises(BudgetSpent):
        share.check(1000)


def test_a_second_budget_shares_the_remaining_nodes():
    share = solver_budget(0.5, 400, nodes=1000)
    assert share.check(699) == 700
    with pytest.raises(BudgetSpent):
        share.check(700)


def test_a_solver_gives_up_when_its_share_of_the_time_is_spent(monkeypatch):
    now = perf_counter()
    monkeypatch.setattr(limits_module, "perf_counter", lambda: now)
    share = solver_budget(0.25, movetime=1000.0)
    now += 248.0
    assert share.bounded and share.check(1) > 1
    now += 2.1
    with pytest.raises(BudgetSpent):
        share.check(10**6)
    share.allow(0.5)
    assert not share.spent(10**6)


def test_a_budget_without_limits_is_never_spent():
    for limits in ({"depth": 5}, {"infinite": True}, {"clocks": (60.0, 60.0), "ponder": True}):
        share = solver_budget(0.01, **limits)
        assert not share.bounded and not share.spent(10**9)


def test_a_solvers_share_of_the_time_begins_at_ponderhit(monkeypatch):
    now = perf_counter()
    monkeypatch.setattr(limits_module, "perf_counter", lambda: now)
    limits = Limits(clocks=(60.0, 60.0), ponder=True)
    clock = Deadlines(limits, 0)
    share = Context(clock).budget(0.25)
    now += 100.0
    assert not share.spent(0)
    clock.ponderhit()
    assert share.bounded and not share.spent(0)
    now += clock.seconds_left()
    assert share.spent(0)


def test_each_phase_of_a_search_may_use_the_nodes_left_by_earlier_phases():
    limits = Limits(nodes=100)
    watch_of_it = Context(Deadlines(limits, 0)).watch
    watch_of_it.check(60)
    watch_of_it.next_phase()
    assert watch_of_it.check(39) == 40 and watch_of_it.earlier_nodes == 60
    with pytest.raises(limits_module.Stopped):
        watch_of_it.check(40)
