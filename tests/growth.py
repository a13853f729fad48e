"""Measurements that show whether the costs of reading a text are linear in its length."""

import gc
import time

import pytest

# Each cost is measured again on an input 4 times as large.  A linear reader then needs 4 times the
# time, a quadratic reader 16 times.
TIMES = 4
MAX_RATIO = 9


def seconds(work, *arguments, clock=time.process_time):
    """Return the CPU seconds of a call, without those of garbage collections."""
    gc.disable()
    try:
        begun = clock()
        work(*arguments)
        return clock() - begun
    finally:
        gc.enable()


def peak(work, *arguments):
    """Return the maximum number of bytes that a call allocates."""
    tracemalloc = pytest.importorskip("tracemalloc")  # PyPy has no tracemalloc
    tracemalloc.start()
    try:
        work(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def grows(cost, size, least):
    """Return whether a cost grows faster than linearly, in each of three measurements.

    Faster than linearly means cost(TIMES * size) > MAX_RATIO * cost(size).
    least: a cost of at most this value doesn't count as growth.
    """
    for _ in range(3):
        long = cost(TIMES * size)
        if long <= least or long <= MAX_RATIO * cost(size):
            return False
    return True
