"""The decoding of files and bytes, the same for every format.

A byte order mark decides the encoding; without one, a declaration such as SGF's CA.  A text with
neither is read as UTF-8.  If it isn't UTF-8, it is read in the encoding in which its characters
are the most common.  If no encoding fits the whole file, each line is read as UTF-8 or cp1252.  A
file may end in the middle of a character.  Line ends (LF, CR LF, CR) become LF.  Other control
characters, zero-width spaces, and byte order marks within a text become spaces.
"""

from __future__ import annotations

import codecs
import io
import math
import os
import re
import stat

from protocol.records.record import Format, RecordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

MAX_BYTES = 256 << 20  # maximum size of a file; a longer input, say a pipe, may never end
_PIECE = 1 << 20
_SUB = 1 << 13  # Number of characters that tidy() handles at a time.

HEAD = 64 << 10  # number of bytes or characters that tell what a file is and its encoding

# UTF-32 comes first, since its byte order mark begins with UTF-16's.
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# {encoding: names of subsets of it}.  A file that names a subset often means the whole.
_ENCODINGS = {
    "gb18030": "gb2312 gbk gb18030",
    "cp950": "big5",
    "cp932": "shift_jis sjis x_sjis windows_31j",
    "cp949": "euc_kr ks_c_5601_1987 uhc",
    "cp1252": "latin1 latin_1 iso_8859_1 iso8859_1",
}
_SUPERSETS = {name: own for own, names in _ENCODINGS.items() for name in names.split()}
_NO_TEXT = ("idna", "punycode", "raw_unicode_escape", "unicode_escape", "utf_7")
# Encodings that are guessed: (name, first bytes of common characters, number of common characters).
_GUESSES = (
    ("cp949", [*range(0xB0, 0xC9)], 2350),
    ("cp932", [0x82, 0x83, *range(0x88, 0x98)], 3100),
    ("gb18030", [*range(0xB0, 0xD8)], 3755),
    ("cp950", [*range(0xA4, 0xC7)], 5401),
)
# _SIGNS: first bytes of punctuation.  _RARE: penalty factor for all characters that are neither
# common nor punctuation.
_SIGNS = (0x81, 0xA1, 0xA2, 0xA3)
_RARE = 10**6
_LINE = re.compile(r"\S[^\n]*")
_HIGH = re.compile(rb"[\x80-\xff]+")
_ESCAPES = b"\x1b$"  # escape of ISO-2022-JP, whose bytes are all ASCII
_CONTROL = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ud800-\udc7f\udd00-\udfff\ufeff\ufffe\uffff]"
)
# All blanks that tidy() leaves.
_BLANKS = dict.fromkeys((9, 10, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029), " ")
_BLANKS.update({0x202F: " ", 0x205F: " ", 0x3000: " "})


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a regular file; raise RecordError if it is missing or too long."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # reading a device or a FIFO may never end
            raise RecordError(f"{os.fspath(path)}: not a regular file")
        with open(path, "rb") as file:
            return read_stream(file, os.fspath(path))
    except ValueError:  # a path with a NUL
        raise RecordError(f"can't read {os.fspath(path)!r}: no such file") from None
    except OSError as error:
        raise RecordError(f"can't read {os.fspath(path)}: {error.strerror}") from None


def read_stream(stream: BinaryIO, name: str = "the input") -> bytes:
    """Return the bytes of a stream up to its end; raise RecordError if there are too many."""
    data = b""
    while piece := stream.read(_PIECE + len(data)):  # larger pieces, since `+=` copies all data
        data += piece
        if len(data) > MAX_BYTES:
            raise RecordError(f"{name}: longer than {MAX_BYTES >> 20} megabytes")
    return data


def decode(data: bytes, form: Format | None = None) -> str:
    """Return the text of a file.  form: its format, if known."""
    return decode_as(data, form)[0]


def decode_as(data: bytes, form: Format | None = None) -> tuple[str, str | None]:
    """Return (the text of a file, its encoding if that is a guess).

    form: the format of the file, if known.  Bytes that aren't text become lone surrogates, so
    that encoding with "surrogateescape" restores them.
    """
    for encoding in ("utf-8", *_WIDE):
        mark = "\ufeff".encode(encoding)
        if data.startswith(mark):
            return tidy(data[len(mark) :].decode(encoding, "replace")), None
    form = form or Format()
    # a wide text is valid UTF-8, too, with many zero bytes
    known = () if is_wide(data[:HEAD]) else (_declared(data, form), "utf-8", *form.encodings)
    for encoding in known:
        text = _decode_whole(data, encoding)
        if text is not None and not (encoding == "utf-8" and _ESCAPES in data):
            return tidy(text), None
    guessed = _guess(data)
    text = _decode_whole(data, guessed) if guessed else None
    if text is None:
        text, guessed = "".join(map(_decode_line, io.BytesIO(data))), "cp1252"
    return tidy(text), guessed


def _decode_whole(data: bytes, encoding: str) -> str | None:
    """Return the text of a file without the incomplete character at its end, if there is one.

    Return None if the file has another encoding.
    """
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return None
    # If all other characters are ASCII, the last bytes could also be characters of cp1252.
    return None if text.isascii() and not data.isascii() else text


def _decode_line(line: bytes) -> str:
    """Return the text of a line of a file that mixes UTF-8 and cp1252."""
    text = _decode_whole(line, "utf-8")
    return line.decode("cp1252", "surrogateescape") if text is None else text


def _declared(data: bytes, form: Format) -> str:
    """Return the encoding that a file declares; UTF-8 if it declares none or an unknown one."""
    match = form.declared and form.declared.search(data[:HEAD])
    if not match:
        return "utf-8"
    name = re.sub(r"[^a-z0-9]", "_", match[1].decode("ascii", "replace").lower())
    name = "utf-8" if name in _NO_TEXT else _SUPERSETS.get(name, name)
    try:  # the declaration itself must be readable in the encoding that it names
        return name if match[0].decode(name) == match[0].decode("ascii") else "utf-8"
    except (LookupError, UnicodeError):  # Python has no such encoding of text
        return "utf-8"


def is_wide(data: bytes) -> bool:
    """Is the text in UTF-16 or UTF-32, with or without a byte order mark?"""
    if data.startswith(tuple("\ufeff".encode(encoding) for encoding in _WIDE)):
        return True
    zeros = sorted(data[odd::2].count(0) for odd in (0, 1))
    return zeros[0] * 20 < zeros[1] > len(data) // 4


def _guess(data: bytes) -> str | None:
    """Return the likeliest encoding of a file that is not UTF-8, None if it may have several."""
    head = data[:HEAD]
    if is_wide(head):
        return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
    if _ESCAPES in data:
        return "iso2022_jp"
    lines = [line for line in head.splitlines() if not line.isascii()]
    if 2 * sum(_decode_whole(line, "utf-8") is not None for line in lines) >= len(lines):
        return None
    cost, likeliest = min((_cost(head, *guess), guess[0]) for guess in _GUESSES)
    return likeliest if cost < _cost_of_cp1252(head) else None


def _cost(data: bytes, encoding: str, common: Sequence[int], count: int) -> float:
    """Return the improbability of a text in an encoding, as a sum of logarithms."""
    text = _decode_whole(data, encoding)
    if text is None:
        return math.inf
    firsts = [letter.encode(encoding)[0] for letter in text if letter > "\x7f"]
    usual = sum(first in common for first in firsts)
    signs = sum(first in _SIGNS for first in firsts)
    rare = len(firsts) - usual - signs
    return usual * math.log(count) + signs * math.log(100) + rare * math.log(_RARE)


def _cost_of_cp1252(data: bytes) -> float:
    """Return the improbability of a text in cp1252, in which accents rarely follow each other."""
    runs = [len(run) for run in _HIGH.findall(data)]
    return sum(math.log(60) if run == 1 else run * math.log(5000) for run in runs)


def tidy(text: str) -> str:
    """Return a text with LF as line ends and spaces instead of other control characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROL.search(text):  # piece by piece, since sub() makes a list of all parts
        pieces = (text[at : at + _SUB] for at in range(0, len(text), _SUB))
        return "".join(_CONTROL.sub(" ", piece) for piece in pieces)
    return text


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Return (offset, text without the blanks around it) of each line that isn't blank."""
    return ((line.start(), line[0].rstrip()) for line in _LINE.finditer(text))


def parts(text: str, begins: list[int]) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of the parts of a text that begin at the offsets `begins`."""
    for begin, end in zip(begins, [*begins[1:], len(text)]):
        yield begin, text[begin:end]


def one_line(text: str) -> str:
    """Return a text as one line: runs of spaces and line ends become one space."""
    line = tidy(text).translate(_BLANKS)
    while "  " in line:  # a list of the words would take up to twenty times as much memory
        line = line.replace("  ", " ")
    return line.strip()
