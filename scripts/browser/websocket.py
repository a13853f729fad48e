"""The server's half of a WebSocket (RFC 6455): the greeting, and frames that are sent."""
from __future__ import annotations

import base64
import hashlib
import struct

TRY_AGAIN_LATER = 1013      # why it is closed
_GREETING = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _CLOSE = 0x81, 0x88      # the first byte of a frame that is the whole message
_TWO_BYTES, _EIGHT_BYTES = 126, 127     # which a length in more than seven bits takes


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
