"""Measurements that show whether the cost of reading a text is linear in its length."""

import gc
import time

# A text four times as long takes four times as long, or sixteen if the time is quadratic.
TIMES = 4
MOST = 9


def seconds(work, *arguments, clock=time.process_time):
    """Return the CPU seconds of a call, without those of garbage collections."""
    gc.disable()
    try:
        begun = clock()
        work(*arguments)
        return clock() - begun
    finally:
        gc.enable()


def grows(cost, size, least):
    """Does cost(TIMES * size) exceed MOST times cost(size), in each of three measurements?

    least: costs below it don't count as growth.
    """
    for _ in range(3):
        long = cost(TIMES * size)
        if long <= least or long <= MOST * cost(size):
            return False
    return True
