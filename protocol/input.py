"""Lines that enter the process, as bytes in whatever encoding the front end uses."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARK = b"\xef\xbb\xbf"


def without_mark(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines, the first one without the byte order mark that .NET programs send."""
    lines = iter(lines)
    for first in lines:
        yield first[len(_MARK) :] if first.startswith(_MARK) else first
        break
    yield from lines


def decode(raw: bytes) -> str:
    """Return a line as text, without its line ending.

    Read it as UTF-8 or, if it isn't, in the encoding of the locale, in which old programs
    send file names.  Bytes that are neither become surrogates, so that such a name still
    opens its file.
    """
    line = raw.rstrip(b"\r\n")
    try:
        return line.decode()
    except UnicodeDecodeError:
        from locale import getpreferredencoding

        if os.name == "nt":  # fsdecode would mean UTF-8 again
            return line.decode(getpreferredencoding(False), "replace")
        return os.fsdecode(line)
