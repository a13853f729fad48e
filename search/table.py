"""The transposition table: what earlier visits of a position found out, in every game.

A `Table` is 64-bit words that are 0 until they are written.  Searches bind its parts to
locals and read and write the entries of games/entry.py in place; the last write to a
slot stays, unless a search has reason to leave what is there.

Games get their tables from `Context.table`, which keeps them from search to search and
together within `Hash`.

Where several processes share a table two of them may write to a slot at once, and leave
the key of the one beside the data of the other.  So a table holds `key ^ data` in place
of the key: what does not belong together then looks like another position.  One-word
entries can't be torn.
"""

from __future__ import annotations

import sys

from games import data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from mmap import mmap
    from typing import Any, Union

    Words = Union[array[int], memoryview]
    # memory(number of bytes): a piece of memory that several processes have.
    Memory = Callable[[int], mmap]

_WORD = 8  # bytes
_FEWEST = 1 << 14  # slots
_SAMPLE = 1000
_MEGABYTE = 1 << 20
_LEAST_MEGABYTES = 1.0  # a search without this is none
# What slot 0 begins with where entries hold their key: 0 would pass for one of the
# key 0.
_NO_ENTRY = -1
# Keys of a memory: the shares that its tables have, and what makes its tables.
_SHARES, MAKER = "shares", "maker"
_NO_WORDS = memoryview(b"")


class Table:
    """A table of at most `megabytes`.

    keys, data: the two words of each slot, key ^ data and data.  The `slots` are a power
        of two in number, and `key & mask` finds a key's.
    packed: a slot is one word of data, which holds its key too (`keys` is empty).  It is
        found by `key % slots`, since the bits of such keys are not random.
    memory: a function from a number of bytes to an mmap that those processes have, too;
        None: memory of its own.
    """

    __slots__ = ("keys", "data", "slots", "mask", "_whole")

    def __init__(
        self, megabytes: float, packed: bool = False, memory: Memory | None = None
    ) -> None:
        if packed:
            slots = int(megabytes * _MEGABYTE) // _WORD | 1
        else:
            slots = _FEWEST
            while 2 * slots * 2 * _WORD <= megabytes * _MEGABYTE:
                slots *= 2
        self.slots, self.mask = slots, slots - 1
        self._whole: SharedWords | None = None
        self.keys: Words = _NO_WORDS
        self.data: Words
        if memory is not None:
            self._whole = SharedWords(memory, slots if packed else 2 * slots)
            if packed:
                self.data = self._whole.words
            else:
                self.keys, self.data = self._whole.pairs()
        elif packed:
            self.data = _words(slots)
        else:
            self.keys, self.data = _pairs(slots)
        if packed:
            self.data[0] = _NO_ENTRY

    def hashfull(self) -> int:
        """Used slots in permille, from a sample."""
        size = min(_SAMPLE, self.slots)
        return sum(1 for slot in range(size) if self.data[slot]) * 1000 // size

    def clear(self) -> None:
        """Empty it."""
        packed = not self.keys
        if self._whole is not None:
            self._whole.clear()
        else:
            for words in self._parts():
                empty: Any = _words(self.slots)[0 : self.slots]
                words[0 : self.slots] = empty
        if packed:
            self.data[0] = _NO_ENTRY

    def release(self) -> None:
        """Give the memory back at once; nobody can use the table any more.

        A search is a function that holds itself, and so would hold its tables until a
        collector comes by.
        """
        if self._whole is None:
            for words in self._parts():
                if isinstance(words, memoryview):
                    words.release()
                else:
                    del words[:]
        self.keys = self.data = _NO_WORDS
        if self._whole is not None:
            self._whole.release()

    def _parts(self) -> list[Words]:
        return [words for words in (self.keys, self.data) if words]


class Tables:
    """The tables of one game, at most `megabytes` together.

    kept: a dict that holds them, by name, beside whatever else; a new one by default.
        Where it has a maker of tables at MAKER, that one's table(name, megabytes, packed)
        makes them.
    """

    def __init__(self, megabytes: float, kept: dict[str, Any] | None = None) -> None:
        self._megabytes = megabytes
        self._kept: dict[str, Any] = {} if kept is None else kept

    def table(
        self, name: str, share: float = 1.0, packed: bool = False, extra: float = 0.0
    ) -> Table:
        """The Table of this name, made when it is first asked for.

        share: of the megabytes; what is left where that is less.
        extra: megabytes that it gets beside those, in any case; few.
        """
        if name not in self._kept:
            shares = self._kept.setdefault(_SHARES, {})
            share = min(share, 1.0 - sum(shares.values()))
            self._kept[name] = self._made(name, self._megabytes * share + extra, packed)
            shares[name] = share
        table: Table = self._kept[name]
        return table

    def _made(self, name: str, megabytes: float, packed: bool) -> Table:
        """A new Table; a smaller one where the system does not have so much memory.

        Where there is none that can be shared it is this process's own.
        """
        maker, wanted = self._kept.get(MAKER), megabytes
        while True:
            try:
                table: Table = (
                    maker.table(name, megabytes, packed) if maker else Table(megabytes, packed)
                )
            except (MemoryError, OSError, OverflowError):  # the last with 32 bits
                if megabytes >= _LEAST_MEGABYTES:
                    megabytes /= 2
                elif maker is not None:
                    maker, megabytes = None, wanted
                    data.report_once(
                        "shared memory", "Threads: no memory can be shared, searching with 1"
                    )
                else:
                    raise
            else:
                break
        if megabytes < wanted:
            data.report(
                f"Hash: there is no memory for {wanted:.0f} megabytes, "
                f"the table has {megabytes:.1f}"
            )
        return table


def release(kept: dict[str, Any]) -> None:
    """Give back the tables in a dict, and forget what else a game kept there."""
    for value in kept.values():
        if isinstance(value, Table):
            value.release()
    maker = kept.get(MAKER)
    if maker is not None:
        maker.release()
    kept.clear()


def _pairs(slots: int) -> tuple[Words, Words]:
    """(keys, data) of so many slots."""
    if _MAPPED:
        words = _words(2 * slots)
        return words[::2], words[1::2]  # side by side in memory: a visit touches one place
    return _words(slots), _words(slots)


class SharedWords:
    """`words`: this many 64-bit words in memory that other processes share.

    They are there as long as this object.
    memory: a function from a number of bytes to an mmap.
    """

    def __init__(self, memory: Memory, count: int) -> None:
        self._memory, self._count = memory(count * _WORD), count
        self._views: list[memoryview] = []
        self.words: Words
        if _MAPPED:
            self.words = self._viewed(memoryview(self._memory).cast("q"))
        else:
            self.words = _raw_words(self._memory, 0, count)

    def pairs(self) -> tuple[Words, Words]:
        """(keys, data), each half of them."""
        half = self._count // 2
        if isinstance(self.words, memoryview):
            return self._viewed(self.words[::2]), self._viewed(self.words[1::2])
        return _raw_words(self._memory, 0, half), _raw_words(self._memory, half, half)

    def clear(self) -> None:
        """Make them all 0."""
        for start in range(0, self._count * _WORD, _MEGABYTE):
            size = min(_MEGABYTE, self._count * _WORD - start)
            self._memory[start : start + size] = bytes(size)

    def release(self) -> None:
        """Give the memory back at once, as far as this process has it.

        Nobody can use the words any more.
        """
        for view in self._views:
            view.release()
        self._memory.close()

    def _viewed(self, words: memoryview) -> memoryview:
        self._views.insert(0, words)  # the parts are released before the whole
        return words


def _raw_words(memory: mmap, first: int, count: int) -> Words:
    """`count` words of an mmap, on PyPy: as fast as an array, six times as fast as a memoryview.

    They don't keep the mmap open.
    """
    import _rawffi  # type: ignore[import-not-found]  # what PyPy's ctypes stands on

    with memoryview(memory) as view:
        address = view._pypy_raw_address()  # type: ignore[attr-defined]
    words: Words = _rawffi.Array("q").fromaddress(address + first * _WORD, count)
    return words


def _words(count: int) -> Words:
    """At least this many 64-bit words, all 0.

    The system hands out cleared memory as it is first touched: gigabytes cost no time
    before they are used.  On CPython a mapping leaves it at that, an array clears them
    all; on PyPy an array does, and a mapping is ten times slower.
    """
    if _MAPPED:
        from mmap import mmap

        return memoryview(mmap(-1, count * _WORD)).cast("q")
    from array import array

    if count > _FEW_WORDS:
        count = max(count, _LEAST_WORDS)
    return array("q", [0]) * count


_MAPPED = sys.implementation.name == "cpython"
# The C library takes blocks up to 32 megabytes from memory of its own, used before,
# which it clears at once and keeps for ever; larger ones come from the system and go
# back to it.  PyPy's collector comes the sooner the more is asked for, used or not, so
# small tables are left where they are.
_LEAST_WORDS = (32 * _MEGABYTE) // _WORD + 512
_FEW_WORDS = _MEGABYTE // _WORD
