"""The decoding of files and bytes into text, the same way for every format.

A byte order mark decides the encoding, else an SGF's declaration (CA).  Otherwise text is
UTF-8; lines that are not are cp1252, or Latin-1 if they have bytes that cp1252 lacks.  Files
may end in the middle of a character.  Line ends (LF, CR LF, CR) become LF; byte order marks
within a text (of files that were joined), blanks without a width and other control characters
become spaces.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import stat

from protocol.records.record import RecordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

MOST_BYTES = 256 << 20  # largest file; a longer one may never end
_PIECE = 1 << 20
_HEAD = 64 << 10  # bytes in which an SGF declares its encoding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_GGF = re.compile(rb"(?<![A-Za-z])GM\s*\[\s*[A-Za-z]")  # SGF has numbers for games
# Names of encodings in files, which often mean a superset.
_ENCODINGS = {
    "gb18030": "gb2312 gbk gb18030",
    "cp950": "big5",
    "cp932": "shift_jis sjis x_sjis windows_31j",
    "cp949": "euc_kr ks_c_5601_1987 uhc",
    "euc_jp": "euc_jp",
    "koi8_r": "koi8_r",
    "koi8_u": "koi8_u",
    "cp1252": "latin1 latin_1 iso_8859_1 iso8859_1",
}
_SUPERSETS = {name: own for own, names in _ENCODINGS.items() for name in names.split()}
_FAMILIES = re.compile(r"(?:iso_?8859_?|windows_?|cp_?)\d{1,4}")
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ud800-\udfff\ufeff\ufffe\uffff]")


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a regular file; raise RecordError if it is missing or too long."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a device may never end, a FIFO never begin
            raise RecordError(f"{os.fspath(path)}: not a regular file")
        with open(path, "rb") as file:
            return read_stream(file, os.fspath(path))
    except ValueError:  # a path with a NUL
        raise RecordError(f"can't read {os.fspath(path)!r}: no such file") from None
    except OSError as error:
        raise RecordError(f"can't read {os.fspath(path)}: {error.strerror}") from None


def read_stream(stream: BinaryIO, name: str = "the input") -> bytes:
    """Return the bytes of a stream up to its end; raise RecordError if there are too many."""
    pieces: list[bytes] = []
    size = 0
    while True:
        piece = stream.read(_PIECE)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise RecordError(f"{name}: longer than {MOST_BYTES >> 20} megabytes")


def decode(data: bytes, kind: str | None = None) -> str:
    """Return the text of a file.  kind: its format, if known."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return tidy(data[len(mark) :].decode(encoding, "replace"))
    for encoding in (_declared(data) if kind in (None, "sgf") else "utf-8", "utf-8"):
        text = _decode_whole(data, encoding)
        if text is not None:
            return tidy(text)
    return tidy("".join(map(_decode_line, io.BytesIO(data))))


def _decode_whole(data: bytes, encoding: str) -> str | None:
    """Return the text of a file without the incomplete character at its end, if there is one.

    Return None if the file has another encoding.
    """
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
        text = decoder.decode(data)
        cut_off = len(decoder.getstate()[0])
        # a single character that is not ASCII may as well be one of cp1252
        return None if cut_off and data[:-cut_off].isascii() else text
    except (UnicodeDecodeError, LookupError):  # the latter: Python has no such encoding
        return None


def _decode_line(line: bytes) -> str:
    """Return the text of a line of a file that has more than one encoding."""
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return line.decode(encoding)
    return line.decode("latin-1")


def _declared(data: bytes) -> str:
    """Return the encoding that an SGF declares, UTF-8 if it declares none or an unknown one."""
    head = data[:_HEAD]
    if b"(;" not in head or head.lstrip().startswith((b"[", b"{")):
        return "utf-8"
    found = _DECLARED.search(head)
    if found is None or _GGF.search(head, 0, found.start()):
        return "utf-8"
    name = re.sub(r"[^a-z0-9]", "_", found[1].decode("ascii", "replace").lower())
    return _SUPERSETS.get(name) or (name if _FAMILIES.fullmatch(name) else "utf-8")


def tidy(text: str) -> str:
    """Return a text with LF as line ends and spaces instead of other control characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub(" ", text) if _CONTROL.search(text) else text


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text without the blanks around it) of each line that has a text."""
    at = 0
    for line in text.split("\n"):
        if line.strip():
            yield at, line.strip()
        at += len(line) + 1


def one_line(text: str) -> str:
    """Return a text as one line: runs of spaces and line ends become one space."""
    return " ".join(tidy(text).split())
