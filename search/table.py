"""The transposition table of every game: the results of earlier visits to a position.

A `Table` consists of 64-bit words, which are 0 until they are written.  Searches bind its parts to
locals and read and write the entries of games/entry.py in place.  Each search decides
which entries it replaces (step 7 of search/pvs.py).

Games get their tables from `Context.table`, which preserves them from search to search
and limits their total size to `Hash`.

If several processes share a table, two of them may write to a slot at once and leave the key of
one entry with the data of the other entry.  So a table stores `key ^ data` in place of the key: a
mixed entry then looks like another position.  Entries of one word can't be mixed.
"""

from __future__ import annotations

import sys

from games import notices
from search import interpreter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from mmap import mmap
    from typing import Any, Union

    Part = Union[array[int], memoryview]
    # memory(number of bytes): memory that several processes share.
    Memory = Callable[[int], mmap]

_WORD = 8  # bytes
_MIN_SLOTS = 1 << 14
_SAMPLE = 1000
_MEGABYTE = 1 << 20
_MIN_MEGABYTES = 1.0  # The size of the smallest useful table.

# The initial content of slot 0 in a packed table, where 0 would look like an entry of key 0.
_NO_ENTRY = -1
# A game's memory has two more keys besides the names of its tables.  _SHARES: its value is the dict
# of the tables' shares.  MAKER: its value is the object that makes the tables (see Tables).
_SHARES, MAKER = "shares", "maker"


class Table:
    """A table of at most `megabytes`.

    keys, data: the two words of each slot, key ^ data and data.  The number of `slots` is
        a power of two, and a key's slot is `key & mask`.
    packed: a slot is one word of data, which includes the key (`keys` is empty).  A key's
        slot is `key % slots`, since the bits of such keys are not random.
    memory: a function from a number of bytes to an mmap that other processes share; None
        for private memory.

    The system provides zeroed memory on first touch, so gigabytes cost no time before they are
    used.  On CPython a mapping has this advantage; an array would clear all its memory.  On PyPy an
    array has it, and a mapping would be ten times slower.
    """

    def __init__(
        self, megabytes: float, packed: bool = False, memory: Memory | None = None
    ) -> None:
        if packed:
            slots = int(megabytes * _MEGABYTE) // _WORD | 1
        else:
            slots = _MIN_SLOTS
            while 2 * slots * 2 * _WORD <= megabytes * _MEGABYTE:
                slots *= 2
        self.slots, self.mask = slots, slots - 1
        self._memory: mmap | None = None
        self.keys: Part = memoryview(b"")
        if packed:
            (self.data,) = self._words(1, memory)
            self.data[0] = _NO_ENTRY
        else:
            self.keys, self.data = self._words(2, memory)

    def _words(self, parts: int, memory: Memory | None) -> list[Part]:
        """Return `parts` arrays, each with one word per slot, all 0 at first."""
        if memory is None and not _MAPPED:
            return [_array(self.slots) for _ in range(parts)]
        size = self.slots * parts * _WORD
        from mmap import mmap

        self._memory = mmap(-1, size) if memory is None else memory(size)
        if _MAPPED:  # interleave the parts, so that a visit touches one place in memory
            return [memoryview(self._memory).cast("q")[part::parts] for part in range(parts)]
        return [_raw_words(self._memory, part * self.slots, self.slots) for part in range(parts)]

    def hashfull(self) -> int:
        """Return the permille of used slots, from a sample."""
        size = min(_SAMPLE, self.slots)
        return sum(1 for slot in range(size) if self.data[slot]) * 1000 // size

    def release(self) -> None:
        """Free the memory at once, in this process only; the table can't be used afterwards.

        Otherwise the memory would stay until the next garbage collection, since it is
        held by the closures of its search, which refer to themselves.
        """
        for part in (self.keys, self.data):
            if isinstance(part, memoryview):
                part.release()
            elif self._memory is None:
                del part[:]
        self.keys = self.data = memoryview(b"")
        if self._memory is not None:
            self._memory.close()


class Tables:
    """The tables of one game, at most `megabytes` together.

    kept: a dict that holds the tables by name, among other things; a new one by default.  If it
        has an object kept[MAKER], that object's table(name, megabytes, packed) makes the tables.
    """

    def __init__(self, megabytes: float, kept: dict[str, Any] | None = None) -> None:
        self._megabytes = megabytes
        self._kept: dict[str, Any] = {} if kept is None else kept

    def table(
        self, name: str, share: float = 1.0, packed: bool = False, extra: float = 0.0
    ) -> Table:
        """Return the Table of this name, made on first use.

        share: maximum share of the megabytes, 0 to 1; the table gets less if the others leave less.
        packed: see Table.  extra: megabytes that it gets in addition.
        """
        if name not in self._kept:
            shares = self._kept.setdefault(_SHARES, {})
            share = min(share, 1.0 - sum(shares.values()))
            self._kept[name] = self._made(name, self._megabytes * share + extra, packed)
            shares[name] = share
        table: Table = self._kept[name]
        return table

    def _made(self, name: str, megabytes: float, packed: bool) -> Table:
        """Return a new Table, smaller than requested if the system has too little memory."""
        maker, requested = self._kept.get(MAKER), megabytes
        table: Table | None = None
        while table is None:
            try:
                table = maker.table(name, megabytes, packed) if maker else Table(megabytes, packed)
            except (MemoryError, OSError, OverflowError):  # OverflowError on 32-bit systems
                if megabytes < _MIN_MEGABYTES:
                    raise
                megabytes /= 2
        if megabytes < requested:
            message = f"not enough memory for {requested:.0f} megabytes, using {megabytes:.1f}"
            notices.report(f"Hash: {message}")
        return table


def release(kept: dict[str, Any]) -> None:
    """Free the tables in a dict, and drop everything else that a game stored there."""
    for key, value in kept.items():
        if isinstance(value, Table):
            value.release()
        elif key != MAKER and not isinstance(value, (dict, list)):
            interpreter.drop()  # a solver: its closures refer to themselves
    kept.clear()


def _raw_words(memory: mmap, first: int, count: int) -> Part:
    """Return words of an mmap on PyPy: as fast as an array, six times as fast as a memoryview.

    These words don't keep the mmap open.
    """
    import _rawffi  # type: ignore[import-not-found]  # the base of PyPy's ctypes

    with memoryview(memory) as view:
        address = view._pypy_raw_address()  # type: ignore[attr-defined]
    words: Part = _rawffi.Array("q").fromaddress(address + first * _WORD, count)
    return words


def _array(count: int) -> array[int]:
    """Return an array of at least `count` words, all 0."""
    from array import array

    if count > _FEW_WORDS:
        count = max(count, _MIN_WORDS)
    return array("q", [0]) * count


_MAPPED = sys.implementation.name == "cpython"
# The C library takes blocks up to 32 megabytes from its own heap.  So it has to clear them at once,
# and never returns them to the system.  Larger blocks come from the system and go back to it.  So
# arrays get at least _MIN_WORDS.  But arrays of up to _FEW_WORDS stay small: the more memory is
# requested, used or not, the sooner PyPy collects garbage.
_MIN_WORDS = (32 * _MEGABYTE) // _WORD + 512
_FEW_WORDS = _MEGABYTE // _WORD
