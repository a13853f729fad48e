"""Lines that no front end would send: mutilated ones, and noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

_WORDS = (
    "",
    "0",
    "-1",
    "1e9",
    "nan",
    "inf",
    "9" * 400,
    "-" * 300,
    "1.5",
    "\u00b2",
    "\u0663",
    "\u00e9\u4e2d",
    "\U0001f600",
    "\u202e",
    "\x00",
    "\x1b[31m",
    "%s%n",
    "{}",
    "$(id)",
    "../../x",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/mem",
    "/",
    "~",
    "true",
    "=",
    "--",
    "#",
    "(",
    ")",
    "((",
    "[",
    "'",
    '"',
    "\\",
    "\t",
    ";",
    "none",
    "null",
    "(none)",
    "startpos",
    "moves",
    "fen",
    "name",
    "value",
    "e2e4",
    "P@d3",
    "P@z99",
    "a1a1",
    "@@@@",
    "0000",
    "pass",
    "resign",
    "h8",
    "i9",
    "7,7",
    "-3,2",
    "99,99",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "KkKkKkKk",
    "15/15 x",
    "3/3/3 x",
    "x" * 5000,
)
_RARE = 0.03  # share of lines that are noise


def mutilated(dice: Random, line: str) -> bytes:
    """Return the bytes of a line with a few random errors and no line break."""
    words = line.split(" ")
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        dice.choice(_ACCIDENTS)(dice, words)
    data = bytearray(" ".join(words).encode("utf-8", "replace"))
    if data and dice.random() < 0.25:
        dice.choice(_BYTES)(dice, data)
    return bytes(byte for byte in data if byte != 10)


def noise(dice: Random) -> bytes:
    """Return meaningless bytes."""
    return bytes(
        dice.choice((dice.randrange(32, 127), dice.randrange(11, 256)))
        for _ in range(dice.choice((1, 9, 40, 400)))
    )


def hostile(dice: Random, lines: Iterable[str], share: float) -> Iterator[bytes]:
    """Yield the lines as bytes, with noise among them; share: the share that is mutilated."""
    for line in lines:
        if dice.random() < _RARE:
            yield noise(dice)
        yield mutilated(dice, line) if dice.random() < share else line.encode("utf-8")


def _drop(dice: Random, words: list[str]) -> None:
    if len(words) > 1:
        words.pop(dice.randrange(len(words)))


def _double(dice: Random, words: list[str]) -> None:
    place = dice.randrange(len(words))
    words[place:place] = [words[place]] * dice.choice((1, 1, 2, 50))


def _swap(dice: Random, words: list[str]) -> None:
    one, other = dice.randrange(len(words)), dice.randrange(len(words))
    words[one], words[other] = words[other], words[one]


def _replace(dice: Random, words: list[str]) -> None:
    words[dice.randrange(len(words))] = dice.choice(_WORDS)


def _insert(dice: Random, words: list[str]) -> None:
    words.insert(dice.randrange(len(words) + 1), dice.choice(_WORDS))


def _cut(dice: Random, words: list[str]) -> None:
    place = dice.randrange(len(words))
    words[place] = words[place][: dice.randrange(len(words[place]) + 1)]


def _number(dice: Random, words: list[str]) -> None:
    """Replace a number with another one."""
    places = [place for place, word in enumerate(words) if word.lstrip("-").isdigit()]
    if places:
        words[dice.choice(places)] = str(
            dice.choice((0, 1, -1, 2, 3, 15, 99, 255, 256, 2**31, 2**63, 10**15, 10**30))
        )


def _case(dice: Random, words: list[str]) -> None:
    place = dice.randrange(len(words))
    words[place] = words[place].swapcase()


def _flip(dice: Random, data: bytearray) -> None:
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _squeeze(dice: Random, data: bytearray) -> None:
    data.insert(dice.randrange(len(data) + 1), dice.choice((0, 9, 13, 27, 32, 127, 128, 194, 255)))


def _end(dice: Random, data: bytearray) -> None:
    del data[dice.randrange(len(data)) :]


def _return(dice: Random, data: bytearray) -> None:
    data += b"\r"


_ACCIDENTS = (_drop, _double, _swap, _replace, _replace, _insert, _cut, _number, _number, _case)
_BYTES = (_flip, _squeeze, _end, _return)
