"""The wire: lines that enter the process, lines that leave it, and the log of both."""

from __future__ import annotations

import errno
import os
import threading
from collections import deque
from time import localtime, strftime, time

from games.data import without_waiting
from search.interpreter import start_thread
from search.worker import wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import FileIO
    from typing import BinaryIO, TextIO

    Read = Callable[[float | None], bytes | None]
    Write = Callable[..., None]  # called as write(*lines), like a Writer

_MARK = b"\xef\xbb\xbf"  # The byte order mark.

# Maximum number of bytes queued for a slow reader; beyond it, writing blocks.
_MAX_UNREAD = 1 << 26
# Maximum number of bytes to read at once.
_PIECE = 1 << 16


def decode(raw: bytes) -> str:
    """Return a line as text, without line ending and byte order mark (.NET programs write one).

    Read it as UTF-8 or, if it isn't, in the encoding of the locale, in which old programs
    send file names.  Bytes that fit neither encoding become surrogates, so that a file name with
    such bytes still opens the file.
    """
    line = raw.rstrip(b"\r\n").removeprefix(_MARK)
    try:
        return line.decode()
    except UnicodeDecodeError:
        from locale import getpreferredencoding

        # (os.fsdecode() would try UTF-8 again.)
        return line.decode(getpreferredencoding(False), "surrogateescape")


class Lines:
    """The lines of an input; call this object to get the next line.

    read(seconds): the next bytes, b"" at the end; None if none arrive within `seconds` (None: no
        limit).  log(direction, line): called for every line.
    """

    def __init__(self, read: Read, log: Log | None = None) -> None:
        self._read, self._log = read, log
        self._ended = False
        self._bytes = bytearray()
        self._searched = 0  # number of leading bytes of `_bytes` known to contain no line end

    def __call__(self, seconds: float | None) -> bytes | None:
        """Return the next line, b"" at the end, None if none arrives within `seconds`.

        seconds: None for no limit.
        """
        while True:
            end = self._bytes.find(b"\n", self._searched) + 1
            if end or self._ended:
                line = bytes(self._bytes[: end or len(self._bytes)])
                del self._bytes[: len(line)]
                self._searched = 0
                if self._log is not None and line:
                    self._log(">", decode(line))
                return line
            self._searched = len(self._bytes)
            piece = self._read(seconds)
            if piece is None:
                return None
            self._bytes += piece
            self._ended = not piece


def reader(stream: TextIO) -> tuple[Read, bool]:
    """Return (read, can_poll): a read() for Lines, and whether it can tell if input has arrived.

    If it can't, read(None) waits for a line and read(seconds) returns None at once.
    """
    import select

    if not hasattr(select, "poll"):  # Windows, where select() works with sockets only
        line = stream.buffer.readline
        return lambda seconds: line() if seconds is None else None, False

    def read(seconds: float | None) -> bytes | None:
        # select(), since poll() doesn't support terminals on macOS
        if seconds is None or select.select([stream], [], [], seconds)[0]:
            return os.read(stream.fileno(), _PIECE)
        return None

    return read, True


def given(words: str) -> tuple[Read, bool]:
    """Return a pair like reader()'s for an input whose only line is `words`.

    If `words` is empty, so is the input.
    """
    pieces = [b""] + [words.encode("utf-8", "surrogateescape") + b"\n"] * bool(words)
    return lambda seconds: pieces.pop() if pieces else b"", True


class Writer:
    """A writer of whole lines, which end with `\\n` and are flushed.

    Any thread may write, and doesn't wait for the reader until _MAX_UNREAD bytes are queued: the
    thread that reads commands must see `quit` even if nobody reads the answers.  Pieces that the
    reader doesn't take at once are queued for a thread of the writer's own.  If the system can't
    tell when the reader takes a piece (no poll, as on Windows), that thread writes everything.

    stream: a binary stream.  log(direction, line): called for every line.
    on_closed(): called when the reader is gone.
    """

    def __init__(self, stream: BinaryIO, log: Log | None, on_closed: Callable[[], None]) -> None:
        self._stream = stream
        self._log = log
        self._on_closed = on_closed
        self._takes_piece, self._piece = readiness(stream)
        # _unread: the pieces not written yet.  _size: the total length in bytes
        # of these pieces and of the piece that is being written.
        # _draining: is a thread writing the pieces?
        self._unread: deque[bytes] = deque()
        self._size = 0
        self._draining = False
        self._changed = threading.Condition()

    def __call__(self, *lines: str) -> None:
        """Write lines together: no other thread's line comes between them."""
        data = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
        with self._changed:
            wait_until(self._changed, lambda: self._size <= _MAX_UNREAD)
            for start in range(0, len(data), self._piece):
                self._write_or_keep(data[start : start + self._piece])
            if self._log is not None:
                for line in lines:
                    self._log("<", line)

    def flush(self, seconds: float | None = None) -> None:
        """Wait until everything is written, at most `seconds`."""
        with self._changed:
            wait_until(self._changed, lambda: not self._size, seconds)

    def _write_or_keep(self, piece: bytes) -> None:
        if not self._size and self._takes_piece is not None and self._takes_piece(0):
            self._write(piece)
            return
        self._draining = self._draining or start_thread(self._drain)
        if self._draining:
            self._unread.append(piece)
            self._size += len(piece)
            self._changed.notify_all()
        else:  # the system allows no more threads: wait for the reader here
            self._write(piece)

    def _drain(self) -> None:
        """Write the queued pieces, as fast as the reader takes them."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._unread)
                piece = self._unread.popleft()
            if self._takes_piece is not None:
                self._takes_piece(None)
            self._write(piece)
            with self._changed:
                self._size -= len(piece)
                self._changed.notify_all()

    def _write(self, piece: bytes) -> None:
        try:
            self._stream.write(piece)
            self._stream.flush()
        except (OSError, ValueError):  # the reader is gone, or the stream is closed
            self._on_closed()


def readiness(stream: BinaryIO | TextIO) -> tuple[Callable[[float | None], object] | None, int]:
    """Return (ready, size): ready(timeout) tells whether `stream` takes `size` bytes at once.

    timeout: in milliseconds, None for no limit.  ready is None if the system can't tell.
    A stream that isn't a file (io.BytesIO) takes everything.
    """
    try:
        stream.fileno()
    except OSError:
        return (lambda timeout: True), 1 << 30
    try:
        from select import PIPE_BUF, POLLOUT, poll

        poller = poll()
        poller.register(stream, POLLOUT)
    except (ImportError, OSError):
        return None, 1 << 16
    return poller.poll, PIPE_BUF


def watch(stream: BinaryIO, on_closed: Callable[[], None]) -> None:
    """Call on_closed() as soon as the reader of `stream` is gone, even if nothing is written.

    This needs a system that reports the reader's end (by poll, for pipes and terminals).  On other
    systems the next write notices it.
    """
    try:
        from select import poll
    except ImportError:
        return

    def wait() -> None:
        poller = poll()
        poller.register(stream, 0)  # 0: errors and the end are always reported
        poller.poll()
        on_closed()

    start_thread(wait)


class Log:
    """A time-stamped transcript of both directions, appended to a file; any thread may write.

    Raises OSError with a message if the file can't be opened or is a pipe without a reader.
    on_failure(message): called once if a line can't be written; the game goes on without
    a log.
    """

    def __init__(self, path: str, on_failure: Callable[[str], None]) -> None:
        self._path, self._on_failure = path, on_failure
        self._lock = threading.Lock()
        try:
            self._file: FileIO | None = open(path, "ab", buffering=0, opener=without_waiting)
        except OSError as error:
            reason = "nobody reads it" if error.errno == errno.ENXIO else error.strerror
            raise OSError(f"can't write the log {path}: {reason}") from None

    def __call__(self, direction: str, line: str) -> None:
        """Log a line.  direction: `>` to the engine, `<` from it."""
        now = time()
        stamp = f"{strftime('%Y-%m-%d %H:%M:%S', localtime(now))}.{int(now * 1000) % 1000:03d}"
        data = f"{stamp} {direction} {line}\n".encode("utf-8", "replace")
        with self._lock:
            try:
                while data and self._file is not None:
                    count = self._file.write(data)
                    if count is None:
                        raise BlockingIOError(errno.EAGAIN, "nobody reads it")
                    data = data[count:]
            except OSError as error:
                self._file = None
                self._on_failure(f"can't write the log {self._path} any more: {error.strerror}")
