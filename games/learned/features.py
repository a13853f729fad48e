"""The worth of features and of pairs of them: a factorization machine (Rendle 2010).

Each content of a feature has its own worth and a number for each of several factors.  A
pair of contents is worth twice the sum, over the factors, of the product of their
numbers, added or subtracted by the factor's sign.  So all pairs together need one look
at each feature: if z is the sum of a factor's numbers over all features, z*z is twice the
sum of the products of all pairs, plus the squares of the single numbers, which the
contents' own worths make up for.

A content adds one large number.  Its fields are the numbers of the factors, ascending in
the lower half and descending in the upper half.  The field in the middle of the product
of both halves is the sum of all z*z, as in a product of polynomials.
"""

from __future__ import annotations

from functools import cached_property
from operator import getitem

from games.data import DamagedError
from games.learned.patterns import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence

    from games.base import Position

    Terms = list[tuple[str, int]]

# Codes of a feature are below this; one that was never seen counts as the last one seen.
_CODES = 256


class Factors:
    """The worth of the features in a phase, for a side to move.

    bits: worths are counted in units of 1 / 4**bits of a score.  signs: 1 or -1 for each factor.
    numbers: one list after another, for each code of each feature: its own worth, then its
    number in each factor.
    """

    def __init__(self, bits: int, signs: Sequence[int], numbers: array[int]) -> None:
        self.bits, self.signs, self.numbers = int(bits), list(signs), numbers

    def rows(self, layout: Layout) -> list[list[array[int]]]:
        """Return rows[feature][code]: its own worth, then its number in each factor."""
        size, base = 1 + len(self.signs), layout.base
        parts = [self.numbers[first : first + size] for first in range(0, len(self.numbers), size)]
        return [parts[first : first + base] for first in range(0, len(parts), base)]


class Values:
    """Factors prepared for look-up.

    rows: as Factors.rows returns them.  value(codes): the score.
    """

    def __init__(self, factors: Factors, rows: list[list[array[int]]]) -> None:
        self._factors, self._rows = factors, rows

    @cached_property
    def value(self) -> Callable[[Sequence[int]], int]:
        """Return value(codes), made with its tables when first needed."""
        owns, ups, downs, bias = self._without_negatives()
        count = len(self._factors.signs)
        top = sum(map(max, owns)) + 1
        for factor in range(count):
            top += sum(max(up[factor] for up in feature) for feature in ups) * sum(
                max(down[factor] for down in feature) for feature in downs
            )
        bits = top.bit_length() + 1  # sums of other products stay below twice that
        half, place, field = bits * (count + 1), bits * count, (1 << bits) - 1
        low, shift, tables = (1 << half) - 1, 2 * self._factors.bits, []
        for feature in zip(owns, ups, downs):
            table = [
                _joined([*up, own], bits) | _joined([0, *down[::-1]], bits) << half
                for own, up, down in zip(*feature)
            ]
            tables.append(table + table[-1:] * (_CODES - len(table)))
        # A 1 that multiplies the own worths in the product.
        tables[0] = [number + (1 << half) for number in tables[0]]

        def value(codes: Sequence[int]) -> int:
            number = sum(map(getitem, tables, codes))
            return ((number & low) * (number >> half) >> place & field) - bias >> shift

        return value

    def _without_negatives(
        self,
    ) -> tuple[list[list[int]], list[list[list[int]]], list[list[list[int]]], int]:
        """Return (own worths, factors, factors to multiply them by, the excess of the sum of all).

        The fields of an int hold nothing below 0: the numbers of a feature count from its
        least one.  A factor that is subtracted is multiplied by the highest sum minus its own:
        its square falls as that product grows.
        """
        signs = self._factors.signs
        places = range(1, 1 + len(signs))
        least = [[min(row[place] for row in feature) for place in places] for feature in self._rows]
        most = [[max(row[place] for row in feature) for place in places] for feature in self._rows]
        below = [sum(feature) for feature in zip(*least)]
        above = [sum(feature) for feature in zip(*most)]
        bias = -sum(sign * first * first for sign, first in zip(signs, below))
        owns, ups, downs = [], [], []
        for feature, lows, highs in zip(self._rows, least, most):
            ups.append([[number - low for number, low in zip(row[1:], lows)] for row in feature])
            downs.append(
                [
                    [
                        up if sign > 0 else high - low - up
                        for sign, up, low, high in zip(signs, row, lows, highs)
                    ]
                    for row in ups[-1]
                ]
            )
            # (first + z)**2 is first**2 + 2*first*z + z*z; -z*z is z*(all - z) - all*z.
            linear = [
                2 * first if sign > 0 else -2 * first - (last - first)
                for sign, first, last in zip(signs, below, above)
            ]
            worths = [
                row[0] + sum(one * up for one, up in zip(linear, numbers))
                for row, numbers in zip(feature, ups[-1])
            ]
            lowest = min(worths)
            bias -= lowest
            owns.append([worth - lowest for worth in worths])
        return owns, ups, downs, bias

    def terms(self, layout: Layout, codes: Sequence[int]) -> Terms:
        """Return (features and contents, value) for values other than 0."""
        signs, shift = self._factors.signs, 2 * self._factors.bits
        rows = [feature[min(code, len(feature) - 1)] for feature, code in zip(self._rows, codes)]
        names = [f"{layout.square(cell)}={code}" for cell, code in enumerate(codes)]
        found, total = [], 0
        for first, one in enumerate(rows):
            for second, other in enumerate(rows[first:], first):
                product = sum(sign * x * y for sign, x, y in zip(signs, one[1:], other[1:]))
                before = total
                total += one[0] + product if first == second else 2 * product
                score = (total >> shift) - (before >> shift)
                if score:
                    shown = names[first : first + 1] + names[second : second + 1] * (second > first)
                    found.append((" ".join(shown), score))
        return found


def by_side(layout: Layout, factors: Sequence[Sequence[Factors]]) -> list[list[Values]]:
    """Return the Values by side to move and phase.  Raises DamagedError if they don't fit."""
    swaps = [cells for cells, swap in layout.symmetries if swap]
    if any(len(phase) != (1 if swaps else 2) for phase in factors):
        raise DamagedError("its factors don't fit its sides")
    sides: list[list[Values]] = [[], []]
    for phase in factors:
        read = [found.rows(layout) for found in phase]
        for side in (0, 1):
            number = side % len(phase)
            rows = read[number]
            if side and swaps:
                # Read as the first player's position, mirrored.
                rows = [rows[cell] for cell in swaps[0]]
            sides[side].append(Values(phase[number], rows))
    return sides


def reader_of(
    position: Position, layout: Layout, values: list[list[Values]]
) -> tuple[Callable[[], int], Callable[[], Terms]]:
    """Return (evaluate(), evaluation_terms()) of a position.

    values: as by_side returns them.
    """
    features, phase_of, size = position.features, layout.phase_table(), layout.cells

    def evaluate() -> int:
        codes = features()
        return values[position.side][phase_of[size - codes.count(0)]].value(codes)

    def terms() -> Terms:
        codes = features()
        return values[position.side][phase_of[size - codes.count(0)]].terms(layout, codes)

    return evaluate, terms


def _joined(numbers: Sequence[int], bits: int) -> int:
    """Return numbers as the fields of one, the first lowest."""
    return sum(number << place * bits for place, number in enumerate(numbers))
