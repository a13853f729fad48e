"""The clock of a player: main time, sessions, increments, periods, and the Limits that follow."""

import pytest

from search import limits as limits_module
from search.clock import Clock, TimeControl
from search.limits import Deadlines, Limits


def fields(clock):
    """Return {name: value} of a clock's Limits that differ from the defaults."""
    return {
        name: value for name, value in vars(clock.limits()).items() if value != vars(Limits())[name]
    }


def main(seconds, increment=0, **more):
    increments = {"increments": (increment, increment)} if increment else {}
    return {"clocks": (seconds, seconds), **increments, **more}


BYOYOMI = TimeControl(0.0, period=1.0)
PERIODS = TimeControl(5.0, period=3.0, periods=3)
CANADIAN = TimeControl(10.0, period=30.0, stones=2)
SESSIONS = TimeControl(10.0, moves=2, increment=1.0)
BEFORE = TimeControl(10.0, increment=2.0, adds_before=True)
CAPPED = TimeControl(10.0, increment=2.0, cap=11.0, turn=4.0)


@pytest.mark.parametrize(
    "control, spent, limits, usable",
    [
        (TimeControl(), [7], {}, None),
        (TimeControl(turn=2.5), [7], {"turn": 2.5}, 2.5),
        (BYOYOMI, [], {"turn": 1}, 1),
        (BYOYOMI, [0.9, 1.0], {"turn": 1}, 1),
        (PERIODS, [], main(5, 3, overtime=3), 14),
        (PERIODS, [4.5], main(0.5, 3, overtime=3), 9.5),
        (PERIODS, [6], {"turn": 3}, 9),
        (PERIODS, [6, 2.9, 3.0], {"turn": 3}, 9),
        (PERIODS, [6, 4], {"turn": 3}, 6),
        (PERIODS, [12, 0.1], {"turn": 3}, 3),
        (PERIODS, [99, 0.1], {"turn": 3}, 3),
        (CANADIAN, [], main(10, 15, overtime=15), 40),
        (CANADIAN, [4], main(6, 15, overtime=15), 36),
        (CANADIAN, [4, 8], {"turn": 28}, 28),
        (CANADIAN, [4, 8, 20], {"turn": 15}, 30),
        (CANADIAN, [4, 8, 20, 10], {"turn": 20}, 20),
        (SESSIONS, [], main(10, 1, moves_to_go=2), 10),
        (SESSIONS, [4], main(7, 1, moves_to_go=1), 7),
        (SESSIONS, [4, 99], main(11, 1, moves_to_go=2), 11),
        (BEFORE, [], main(12, 2), 12),
        (BEFORE, [11], main(3, 2), 3),
        (CAPPED, [0.5], main(11, 2, turn=4), 4),
        (CAPPED, [4, 4], main(6, 2, turn=4), 4),
    ],
)
def test_a_clock_gives_limits_after_each_move(control, spent, limits, usable):
    clock = Clock(control)
    for seconds in spent:
        clock.spend(seconds)
    assert fields(clock) == pytest.approx(limits) and clock.usable() == pytest.approx(usable)
    clock.reset()
    assert fields(clock) == fields(Clock(control))


@pytest.mark.parametrize(
    "control, shown, limits",
    [
        (TimeControl(), (9, 0), main(9)),
        (TimeControl(), (9, 3), {"turn": 3}),
        (CANADIAN, (3, 0), main(3, 15, overtime=15)),
        (CANADIAN, (-3, 0), main(0, 15, overtime=15)),
        # 30 seconds with an increment of 2, expressed as overtime of one stone
        (TimeControl(0.0, period=2.0), (30, 1), main(28, 2, overtime=2)),
        (TimeControl(60.0, period=2.0), (30, 1), main(28, 2, overtime=2)),
        (TimeControl(0.0, period=30.0, stones=5), (30, 5), {"turn": 6}),
        (PERIODS, (2.5, 2), {"turn": 2.5}),  # two periods are left, each of one move
    ],
)
def test_a_front_end_shows_the_time_left(control, shown, limits):
    clock = Clock(control)
    clock.show(*shown)
    assert fields(clock) == limits


@pytest.mark.parametrize(
    "control, share",
    [
        (TimeControl(3.0, period=2.0), 2),
        (TimeControl(2.0, period=10.0, stones=5), 2),
        (TimeControl(1.0, period=1.0), 1),
        (TimeControl(4.0, period=1.0, periods=3), 1),
    ],
)
def test_no_move_gets_less_than_its_share_of_overtime(control, share):
    clock, spent = Clock(control), []
    for _ in range(30):
        planned = Deadlines(clock.limits(), 0, overhead=0.0, start=0.0)
        spent.append(planned.soft_deadline)
        clock.spend(planned.soft_deadline)
    assert min(spent) >= share - 1e-6 and sum(spent) <= control.main + 30 * share + 1e-6
    assert clock.periods == control.periods, "no period may be lost"


@pytest.mark.parametrize("period", [0.1, 0.5, 1.0, 10.0])
@pytest.mark.parametrize("main_time", [0.0, 0.05, 5.0])
def test_a_period_is_used_to_its_end_and_never_exceeded(main_time, period):
    clock = Clock(TimeControl(main_time, period=period))
    for pause in (0.0, 0.009, 0.2):
        planned = Deadlines(clock.limits(), 0, 0.04, 0.0, pause)
        for deadline in (planned.soft_deadline, planned.hard_deadline):
            assert deadline >= 0.9 * period - 1e-9
            lost = min(0.04 + pause, 0.1 * period)
            assert deadline <= main_time + period - lost + 1e-9


def test_overtime_is_used_up_even_if_the_best_move_is_stable(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits_module, "perf_counter", lambda: now[0])
    limits = Limits(clocks=(5, None), increments=(2, 2), overtime=2.0)
    planned = Deadlines(limits, 0, 0.03, start=0.0)
    now[0] = 1.9
    assert not planned.spent(0.1)
    now[0] = 2.1
    assert planned.spent(0.1)


def test_moves_that_were_taken_back_do_not_count():
    clock = Clock(TimeControl(10.0, moves=3))
    for _ in range(2):
        clock.spend(1)
    clock.take_back(1)
    assert clock.limits().moves_to_go == 2 and clock.seconds == 8
    clock.take_back(5)
    assert clock.limits().moves_to_go == 3
