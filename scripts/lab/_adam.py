"""Adam (Kingma, Ba 2014), the optimizer of the lab's scripts."""

from __future__ import annotations

import math


class Adam:
    """The moments of the gradients of `size` weights.

    smallest: keeps the step finite if a gradient was always 0.
    """

    def __init__(self, size: int, smallest: float) -> None:
        self._mean, self._square = [0.0] * size, [0.0] * size
        self._smallest, self._steps = smallest, 0

    def step(
        self, weights: list[float], gradient: list[float], rate: float, count: int = 1
    ) -> None:
        """Step down the mean of `count` gradients, given as their sum; clears it."""
        self._steps += 1
        fix_mean, fix_square = 1.0 - 0.9**self._steps, 1.0 - 0.999**self._steps
        mean, square, smallest = self._mean, self._square, self._smallest
        for index in range(len(weights)):
            slope = gradient[index] / count
            mean[index] += 0.1 * (slope - mean[index])
            square[index] += 0.001 * (slope * slope - square[index])
            weights[index] -= (
                rate * (mean[index] / fix_mean) / (math.sqrt(square[index] / fix_square) + smallest)
            )
            gradient[index] = 0.0
