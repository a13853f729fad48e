"""The learned values of features and pairs, as the factors of games/learned/features.py.

The values of all pairs form a symmetric matrix with a row for each content of each feature.
Their means are first added to the single contents; of the rest, the eigenvectors that matter
most in the training positions are kept.  They are found by subspace iteration with a
Rayleigh-Ritz step (Golub and Van Loan, Matrix Computations, chapter 8).
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Sequence
from operator import mul

from games.learned.features import Factors
from games.learned.patterns import Layout
from scripts.learning.learner import Learner

COUNT = 32  # maximum number of factors
_MORE, _ROUNDS = 4, 12  # extra vectors, dropped at the end; steps of the iteration
_SWEEPS = 12  # sweeps of Jacobi's method
# Limits of the factors' integers and of the single contents' values.  Evaluation time grows
# with the bits of the former; the rounding is a twentieth of the usual error.
_HIGHEST, _MOST = 127, 1 << 30
_NOTHING = 1e-9

Matrix = list[list[float]]


def factored(learner: Learner, unit: float) -> list[list[Factors]]:
    """Return the Factors by phase and side; for one side only if the players can change sides.

    unit: the score of a weight of 1.
    """
    layout, tables = learner.network.layout, learner.network.tables
    sides = tables[:1] if any(swap for _, swap in layout.symmetries) else tables
    return [
        [_Pairs(layout, table, weights, seen).factors(unit) for table in sides]
        for weights, seen in zip(learner.network.phases, learner.sizes)
    ]


class _Pairs:
    """The values of contents and their pairs, in one phase and for one side to move.

    numbers: indices of the weights, by pattern and content.
    seen: amount of training of each weight.
    """

    def __init__(
        self,
        layout: Layout,
        numbers: Sequence[Sequence[int]],
        weights: Sequence[float],
        seen: Sequence[float],
    ) -> None:
        self._layout = layout
        tables = dict(zip(layout.patterns, numbers))
        # Frequency and value of each code of a feature that occurred.
        self._shares: list[dict[int, float]] = []
        self._own: list[dict[int, float]] = []
        for feature in range(layout.cells):
            table = tables[(feature,)]
            often = {code: seen[number] for code, number in enumerate(table) if seen[number]}
            whole = sum(often.values())
            self._shares.append({code: share / whole for code, share in often.items()})
            self._own.append({code: weights[table[code]] for code in often})
        self._matrix = self._centred(tables, weights)

    def _centred(
        self, tables: dict[tuple[int, ...], Sequence[int]], weights: Sequence[float]
    ) -> Matrix:
        """Return half of the pairs' values beyond the single values, which absorb the means.

        The matrix has a row and a column for each content that occurred, each multiplied by
        the square root of its frequency.
        """
        base, first, starts = self._layout.base, 0, []
        for shares in self._shares:
            starts.append(first)
            first += len(shares)
        matrix = [[0.0] * first for _ in range(first)]
        for pattern, table in tables.items():
            if len(pattern) == 1:
                continue
            low, high = pattern
            ones, others = self._shares[low], self._shares[high]
            block = [[weights[table[one * base + other]] for other in others] for one in ones]
            rows = [sum(map(mul, line, others.values())) for line in block]
            columns = [sum(map(mul, line, ones.values())) for line in zip(*block)]
            mean = sum(map(mul, rows, ones.values()))
            for code, row in zip(ones, rows):
                self._own[low][code] += row - mean
            for code, column in zip(others, columns):
                self._own[high][code] += column
            for one, (line, row, share) in enumerate(zip(block, rows, ones.values())):
                for other, (value, column, often) in enumerate(zip(line, columns, others.values())):
                    rest = 0.5 * (value - row - column + mean) * math.sqrt(share * often)
                    matrix[starts[low] + one][starts[high] + other] = rest
                    matrix[starts[high] + other][starts[low] + one] = rest
        return matrix

    def factors(self, unit: float) -> Factors:
        """Return the Factors that are kept."""
        values, vectors = leading(self._matrix, COUNT)
        scales = [math.sqrt(abs(value) * unit) for value in values]
        signs, row, found = [1 if value > 0 else -1 for value in values], 0, []
        for shares, own in zip(self._shares, self._own):
            known = {}
            for code, share in shares.items():
                numbers = [
                    scale * vector[row] / math.sqrt(share) for scale, vector in zip(scales, vectors)
                ]
                squares = sum(sign * number * number for sign, number in zip(signs, numbers))
                known[code] = [own[code] * unit - squares, *numbers]
                row += 1
            found += [_nearest(known, code, len(signs)) for code in range(self._layout.base)]
        bits = _bits(found)
        rounded = [
            round(number * (2**bits if place else 4**bits))
            for numbers in found
            for place, number in enumerate(numbers)
        ]
        return Factors(bits, signs, array("i", rounded))


def _nearest(known: dict[int, list[float]], code: int, count: int) -> list[float]:
    """Return the known values of a code, or else those of the nearest known code."""
    if not known:
        return [0.0] * (1 + count)
    return known[min(known, key=lambda other: abs(other - code))]


def _bits(found: list[list[float]]) -> int:
    """Return the number of fractional bits, for Factors.bits."""
    highest = max((abs(number) for numbers in found for number in numbers[1:]), default=0.0)
    own = max(abs(numbers[0]) for numbers in found)
    bits = min(math.log2(_HIGHEST / max(highest, 1.0)), math.log2(_MOST / max(own, 1.0)) / 2)
    return max(int(bits), 0)


def leading(matrix: Matrix, count: int) -> tuple[list[float], Matrix]:
    """Return (the eigenvalues of a symmetric matrix with the largest magnitude, eigenvectors)."""
    dice, size = random.Random(1), len(matrix)
    vectors = [[dice.uniform(-1, 1) for _ in range(size)] for _ in range(min(count + _MORE, size))]
    for _ in range(_ROUNDS):
        vectors = _orthogonal([_applied(matrix, vector) for vector in vectors])
    images = [_applied(matrix, vector) for vector in vectors]
    values, turns = _jacobi([[_dot(one, other) for other in images] for one in vectors])
    order = sorted(range(len(values)), key=lambda place: -abs(values[place]))[:count]
    order = [place for place in order if abs(values[place]) > _NOTHING]
    columns = list(zip(*vectors))
    return (
        [values[place] for place in order],
        [[_dot(column, turns[place]) for column in columns] for place in order],
    )


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    # sum() would round differently in later Pythons.
    total = 0.0
    for left, right in zip(one, other):
        total += left * right
    return total


def _applied(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [_dot(row, vector) for row in matrix]


def _orthogonal(vectors: Matrix) -> Matrix:
    """Return an orthonormal basis of the space of the vectors (modified Gram-Schmidt)."""
    found: Matrix = []
    for vector in vectors:
        for other in found:
            share = _dot(vector, other)
            vector = [one - share * two for one, two in zip(vector, other)]
        length = math.sqrt(_dot(vector, vector))
        if length > _NOTHING:
            found.append([one / length for one in vector])
    return found


def _jacobi(matrix: Matrix) -> tuple[list[float], Matrix]:
    """Return (the eigenvalues of a small symmetric matrix, eigenvectors) by Jacobi's method."""
    size = len(matrix)
    turned = [row[:] for row in matrix]
    vectors = [[float(row == column) for column in range(size)] for row in range(size)]
    for _ in range(_SWEEPS):
        for one in range(size):
            for other in range(one + 1, size):
                angle = 0.5 * math.atan2(
                    2 * turned[one][other], turned[other][other] - turned[one][one]
                )
                cosine, sine = math.cos(angle), math.sin(angle)
                for row in turned:
                    _rotate(row, one, other, cosine, sine)
                for rows in (turned, vectors):
                    pairs = list(zip(rows[one], rows[other]))
                    rows[one] = [cosine * a - sine * b for a, b in pairs]
                    rows[other] = [sine * a + cosine * b for a, b in pairs]
    return [turned[place][place] for place in range(size)], vectors


def _rotate(row: list[float], one: int, other: int, cosine: float, sine: float) -> None:
    row[one], row[other] = (
        cosine * row[one] - sine * row[other],
        sine * row[one] + cosine * row[other],
    )
