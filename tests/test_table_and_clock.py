"""The table's promises about memory and contents, the clock's about time."""
import random
import sys

import pytest

from games.base import WIN
from search.clock import Clock
from search.limits import Limits
from search.table import BYTES_AN_ENTRY, EXACT, LOWER, SOLVED, Table, UPPER, pack, unpack


def test_entries_come_back_as_they_were_packed():
    dice = random.Random("pack")
    for _ in range(2000):
        entry = (dice.randint(-WIN, WIN), dice.choice([None, dice.randrange(1 << 20)]), dice.randint(0, SOLVED),
                 dice.choice([UPPER, LOWER, EXACT]))
        packed = pack(*entry)
        assert unpack(packed) == entry
        assert 0 < packed < 1 << 63


@pytest.mark.parametrize("megabytes", [1, 2, 3, 16])
def test_a_grown_table_takes_the_megabytes_that_it_was_given(megabytes):
    table = Table(megabytes)
    table.make_room(1 << 30)
    taken = sum(words.itemsize * len(words) for words in (table.keys, table.data))
    assert taken <= megabytes << 20
    assert taken > megabytes << 18
    assert taken == (table.mask + 1) * BYTES_AN_ENTRY
    if hasattr(sys, "getsizeof") and sys.implementation.name == "cpython":
        assert sys.getsizeof(table.keys) + sys.getsizeof(table.data) < (megabytes << 20) * 1.15


def test_a_growing_table_forgets_nothing():
    table, dice = Table(16), random.Random("grow")
    entries = {}
    for _ in range(5000):
        key = dice.getrandbits(61)
        table.store(key, pack(dice.randint(-100, 100), 7, 3, EXACT))
        entries[key] = table.probe(key)
    kept = [key for key in entries if table.probe(key) == entries[key]]
    table.make_room(100_000)
    assert all(table.probe(key) == entries[key] for key in kept)
    assert len(kept) > 4000


def test_a_deeper_entry_of_the_same_position_stays():
    table = Table(1)
    table.store(42, pack(5, 1, 9, EXACT))
    table.store(42, pack(6, 2, 3, LOWER))
    assert unpack(table.probe(42)) == (5, 1, 9, EXACT)
    table.store(42, pack(7, 3, 10, UPPER))
    assert unpack(table.probe(42))[0] == 7


def test_an_unknown_position_is_not_found_and_fullness_rises():
    table = Table(1)
    assert table.probe(12345) == 0 and table.hashfull() == 0
    for key in range(1 << 14):
        table.store(key, pack(0, 0, 1, EXACT))
    assert table.hashfull() == 1000


def budget(side=0, overhead=0.03, **limits):
    clock = Clock(Limits(**limits), side, overhead)
    return clock.soft_deadline - clock.started, clock.hard_deadline - clock.started


@pytest.mark.parametrize("left", [0.0, 0.01, 0.05, 0.2, 1.0, 10.0, 60.0, 600.0, 7200.0])
@pytest.mark.parametrize("increment", [0.0, 0.01, 0.1, 2.0])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 5, 40, 1000])
def test_no_plan_exceeds_the_clock(left, increment, moves_to_go):
    soft, hard = budget(clocks=(left, None), increments=(increment, 0.0), moves_to_go=moves_to_go)
    assert 0 < soft <= hard
    assert hard <= max(left - 0.03, 0.004)


@pytest.mark.parametrize("left, increment, period", [(1.0, 0.01, None), (10.0, 0.1, None), (60.0, 0.0, None),
                                                     (30.0, 0.0, 40)])
def test_a_long_game_never_runs_out_of_time(left, increment, period):
    to_go = period
    for move in range(200):
        soft, hard = budget(clocks=(left, None), increments=(increment, 0.0), moves_to_go=to_go)
        left += increment - (hard if move % 10 == 0 else min(1.3 * soft, hard)) - 0.004
        assert left > 0
        if period:
            to_go -= 1
            if to_go == 0:
                left, to_go = left + 30.0, period


def test_movetime_is_used_up_to_the_overhead_and_the_own_clock_counts():
    assert budget(movetime=1.0) == pytest.approx((0.97, 0.97))
    assert budget(side=1, clocks=(0.001, 100.0))[1] > 1
    assert budget(side=1, clocks=(5.0, None)) == pytest.approx(budget(side=0, clocks=(5.0, None)), abs=0.001)
    assert budget(infinite=True, clocks=(1.0, 1.0)) == (float("inf"), float("inf"))


def test_pondering_takes_no_time_until_the_expected_move_comes():
    clock = Clock(Limits(ponder=True, clocks=(1.0, 1.0)), 0)
    assert clock.seconds_left() is None
    clock.ponderhit()
    assert 0 < clock.seconds_left() < 1
