"""The server's half of a WebSocket (RFC 6455): the opening handshake, and frames."""

from __future__ import annotations

import base64
import hashlib
import struct

TRY_AGAIN_LATER = 1013  # a close code
_HANDSHAKE = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
# First bytes of frames that hold a whole message.
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_LONGEST = 65_536  # bytes of a frame from the page, which sends nothing but control frames
_TWO_BYTES, _EIGHT_BYTES = 126, 127  # length codes: the length follows in 2 or 8 bytes


def accept_key(key: str) -> str:
    """Return the Sec-WebSocket-Accept for a browser's Sec-WebSocket-Key."""
    digest = hashlib.sha1(key.encode("utf-8", "replace") + _HANDSHAKE).digest()
    return base64.b64encode(digest).decode()


def text_frame(data: bytes) -> bytes:
    """Return a frame with a text in UTF-8."""
    return _frame(_TEXT, data)


def close_frame(code: int, reason: str) -> bytes:
    """Return a close frame.  reason: at most 123 bytes."""
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
    """Reader of the page's frames: answers pings, ignores the rest.

    closed: the page has closed the connection or sent an invalid frame.
    """

    def __init__(self) -> None:
        self._rest, self.closed = b"", False

    def answers(self, data: bytes) -> list[bytes]:
        """Return the frames that answer received bytes."""
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
        """Return (first byte, payload) of the next complete frame, or None."""
        rest = self._rest
        if len(rest) < 2:
            return None
        length, start = rest[1] & 127, 2
        wide = {_TWO_BYTES: 2, _EIGHT_BYTES: 8}.get(length, 0)
        if wide:
            if len(rest) < 2 + wide:
                return None
            length, start = int.from_bytes(rest[2 : 2 + wide], "big"), 2 + wide
        if not rest[1] & 128 or length > _LONGEST:  # browsers mask all frames
            self.closed = True
            return None
        end = start + 4 + length
        if len(rest) < end:
            return None
        mask, masked = rest[start : start + 4], rest[start + 4 : end]
        self._rest = rest[end:]
        return rest[0], bytes(byte ^ mask[at & 3] for at, byte in enumerate(masked))
