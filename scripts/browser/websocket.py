"""The server's half of a WebSocket (RFC 6455): the greeting, and frames."""

from __future__ import annotations

import base64
import hashlib
import struct

TRY_AGAIN_LATER = 1013  # why it is closed
_GREETING = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
# The first byte of a frame that is the whole message.
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_LONGEST = 65_536  # bytes of a frame of the page, which has nothing to say
_TWO_BYTES, _EIGHT_BYTES = 126, 127  # which a length in more than seven bits takes


def accept_key(key: str) -> str:
    """What answers a browser's Sec-WebSocket-Key."""
    digest = hashlib.sha1(key.encode("utf-8", "replace") + _GREETING).digest()
    return base64.b64encode(digest).decode()


def text_frame(data: bytes) -> bytes:
    """A message of UTF-8."""
    return _frame(_TEXT, data)


def close_frame(code: int, reason: str) -> bytes:
    """A farewell; reason: at most 123 bytes."""
    return _frame(_CLOSE, struct.pack("!H", code) + reason.encode())


def _frame(kind: int, data: bytes) -> bytes:
    if len(data) < _TWO_BYTES:
        head = struct.pack("!BB", kind, len(data))
    elif len(data) < 1 << 16:
        head = struct.pack("!BBH", kind, _TWO_BYTES, len(data))
    else:
        head = struct.pack("!BBQ", kind, _EIGHT_BYTES, len(data))
    return head + data


class FrameReader:
    """Reads the page's frames as they arrive: a ping wants an answer, the rest is passed over.

    closed: the page has said farewell, or what it sends are no frames of a browser.
    """

    def __init__(self) -> None:
        self._rest, self.closed = b"", False

    def answers(self, data: bytes) -> list[bytes]:
        """The frames that answer the bytes that came."""
        self._rest += data
        found = []
        while not self.closed:
            frame = self._next()
            if frame is None:
                break
            kind, payload = frame
            if kind == _PING:
                found.append(_frame(_PONG, payload))
            self.closed = kind == _CLOSE
        return found

    def _next(self) -> tuple[int, bytes] | None:
        """(first byte, payload) of the next whole frame."""
        rest = self._rest
        if len(rest) < 2:
            return None
        length, start = rest[1] & 127, 2
        wide = {_TWO_BYTES: 2, _EIGHT_BYTES: 8}.get(length, 0)
        if wide:
            if len(rest) < 2 + wide:
                return None
            length, start = int.from_bytes(rest[2 : 2 + wide], "big"), 2 + wide
        if not rest[1] & 128 or length > _LONGEST:  # a browser masks whatever it sends
            self.closed = True
            return None
        end = start + 4 + length
        if len(rest) < end:
            return None
        mask, masked = rest[start : start + 4], rest[start + 4 : end]
        self._rest = rest[end:]
        return rest[0], bytes(byte ^ mask[at & 3] for at, byte in enumerate(masked))
