"""Archives of games in binary formats or XML, converted to records in a text format.

WTHOR     Othello's archive: a file per year (.wtb), with the names of players (.jou) and
          tournaments (.trn) in files beside it; becomes JSON lines
RenLib    a Renju library (.lib), which is a tree of moves; becomes SGF
RenjuNet  the Renju database (.rif, XML); becomes JSON lines
"""

from __future__ import annotations

import html
import io
import json
import os
import re
import struct

from protocol.records.record import Format, RecordError, game_of_rules
from protocol.records.sgf_text import properties_text
from protocol.records.text import HEAD, decode, is_wide, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from protocol.records.record import Unpacked
    from protocol.records.sgf_text import Properties


# The header of WTHOR: century, number of games, year, size of the board, kind of games.
_WTHOR = struct.Struct("<B3xI2xHBBxx")
# A game: tournament, two players, Black's discs at the end, Black's discs with best play, moves.
_WTHOR_GAME = struct.Struct("<3H2B60s")
_SQUARES = ["?abcdefgh?"[number % 10] + str(number // 10) for number in range(256)]
_PLAYER, _TOURNAMENT = 20, 26  # length in bytes of each name in a table of names
_RENLIB, _RENLIB_HEADER = b"\xffRenLib\xff", 20
_RIF = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<database\b", re.DOTALL)
_ELEMENT = re.compile(
    r"<(player|tournament|rule|opening|game)\b([^<>]*)>(?:\s*<move>([^<]*)</move>)?(?:\s*<info>([^<]*)</info>)?"
)
# The attributes of a game that refer to a row of a table, and the tables with other names.
_REFERENCES = ("black", "white", "tournament", "rule", "opening")
_TABLES = {"black": "player", "white": "player"}
_ATTRIBUTE = re.compile(r'\b(\w+)="([^"]*)"')
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_OTHERS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"Scid.s": "a Scid database",
    b"SQLite format 3": "an SQLite database",
}
_RIF_RESULTS = {"1": "1-0", "0": "0-1", "0.5": "1/2-1/2"}


def check_is_text(data: bytes) -> None:
    """Raise RecordError unless the data is text.  Archives must be recognised before this call."""
    look = next((what for begin, what in _OTHERS.items() if data.startswith(begin)), None)
    head = data[:HEAD]
    if look is None and len(_CONTROL.findall(head)) * 10 > len(head) and not is_wide(head):
        look = "data that isn't text"
    if look is not None:
        raise RecordError(f"{look}: not supported")


# ---- WTHOR ---------------------------------------------------------------------------


class Wthor(Format):
    """WTHOR."""

    title = "WTHOR"
    games = "archives of Othello"
    suffixes = (".wtb",)

    def unpack(self, data: bytes, path: str | None = None) -> Unpacked | None:
        if len(data) < _WTHOR.size:
            return None
        century, count, year, size, kind = _WTHOR.unpack_from(data)
        games, rest = divmod(len(data) - _WTHOR.size, _WTHOR_GAME.size)
        is_whole = (games, rest) == (count, 0)
        is_cut = games < count and century in (19, 20) and 1900 <= year < 2100
        if not (is_whole or is_cut) or size not in (0, 8, 10):
            return None
        if size == 10 or kind:
            raise RecordError("unsupported WTHOR archive: expected games on 8x8, not problems")
        notice = None if is_whole else f"cut off after {games} of {count} games"
        return "".join(_wthor(data, games, year, path)), notice


def _wthor(data: bytes, games: int, year: int, path: str | None) -> Iterator[str]:
    """Yield a line of JSON for each game."""
    data = data[_WTHOR.size : _WTHOR.size + games * _WTHOR_GAME.size]
    players, events = _names(path, ".jou", _PLAYER), _names(path, ".trn", _TOURNAMENT)
    for event, black, white, discs, best, moves in _WTHOR_GAME.iter_unpack(data):
        yield _json_line(
            {"Event": events(event), "Date": str(year), "DISCS": str(discs), "BEST": str(best)},
            game="othello",
            players=[players(black), players(white)],
            result="1-0" if discs > 32 else "0-1" if discs < 32 else "1/2-1/2",
            moves=[_SQUARES[square] for square in moves.rstrip(b"\0")],
        )


def _names(path: str | None, suffix: str, size: int) -> Callable[[int], str]:
    """Return a function that maps a number to a name, or to `#number` if the name is unknown.

    The names are in a file in the archive's folder, preferably one with the archive's own name.
    """
    folder, own = os.path.split(path or "")
    files = [name for name in os.listdir(folder or ".") if path and name.lower().endswith(suffix)]
    files.sort(key=lambda name: (name.lower() != os.path.splitext(own)[0].lower() + suffix, name))
    data = read_file(os.path.join(folder, files[0])) if files else b""
    names = [data[at : at + size].split(b"\0")[0] for at in range(16, len(data), size)]
    return lambda number: (
        names[number].decode("latin-1").strip() if number < len(names) else f"#{number}"
    )


def _json_line(tags: dict[str, str], **more: str | list[str]) -> str:
    """Return a game as a line of JSON, without empty tags."""
    known = {name: value for name, value in tags.items() if value}
    return json.dumps({**more, "tags": known}) + "\n"


# ---- RenjuNet ------------------------------------------------------------------------


class RenjuNet(Format):
    """RenjuNet."""

    title = "RenjuNet"
    games = "archives of Renju"
    suffixes = (".rif",)

    def unpack(self, data: bytes, path: str | None = None) -> Unpacked | None:
        text = data.decode("utf-8", "replace")
        return ("".join(_rif(text)), None) if _RIF.match(data) else None


def _rif(text: str) -> Iterator[str]:
    """Yield a line of JSON for each game."""
    known: dict[tuple[str, str], tuple[str, str]] = {}  # (table, id) -> (name, year)
    for table, words, moves, info in _ELEMENT.findall(text):
        row = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(words)}
        number = row.pop("id", "")
        if table != "game":
            name = f"{row.get('name', '')} {row.get('surname', '')}".strip()
            known[table, number] = name, row.get("year", "")
            continue
        keys = [(_TABLES.get(name, name), row.pop(name, "")) for name in _REFERENCES]
        found = [known.get(key, ("", "")) for key in keys]
        (black, white, event, rule, opening), years = zip(*found)
        tags = {"Event": event, "Date": years[2], "Round": row.pop("round", "")}
        tags.update(RULE=rule, Opening=opening)
        result = _RIF_RESULTS.get(row.pop("bresult", ""), "*")
        tags.update((name.upper(), value) for name, value in row.items())
        tags["INFO"] = html.unescape(info).strip()
        game, players = game_of_rules(rule) or "renju", [black, white]
        yield _json_line(tags, game=game, players=players, result=result, moves=moves.split())


# ---- RenLib --------------------------------------------------------------------------


# Bits of a node.  _SIBLING: a sibling follows the node's subtree.  _LEAF: the node has no child.
# _OLD_COMMENT, _COMMENT: the node has a comment, in the old or in the new form.  _MARK: the node
# has a mark.  _NO_MOVE: the node isn't a move.  _MORE: more bits follow.
_SIBLING = 128
_LEAF = 64
_OLD_COMMENT = 32
_MARK = 16
_COMMENT = 8
_NO_MOVE = 2
_MORE = 1
_LABEL = 1  # in the second of the two bytes that _MORE announces: the node has a label


class RenLib(Format):
    """RenLib: each node is followed by its children, and then by its siblings."""

    title = "RenLib"
    games = "libraries of Renju"
    suffixes = (".lib",)

    def unpack(self, data: bytes, path: str | None = None) -> Unpacked | None:
        """Return a library as SGF, with brackets around each subtree."""
        if not data.startswith(_RENLIB):
            return None
        parts = ["(;GM[4]RU[Renju]"]
        waiting: list[bool] = []  # for each node of the path: will a sibling follow it?
        colours = "BW"
        source = io.BytesIO(data[_RENLIB_HEADER:])
        while len(pair := source.read(2)) == 2:
            place, bits = pair
            if place == 0 and not waiting:
                colours = "WB"  # the root isn't a move, so Black's first move has depth 1
            point = "" if place == 0 else chr(96 + place % 16) + chr(97 + place // 16)
            node = _annotations(source, bits, point)
            if (place or waiting) and not bits & _NO_MOVE:
                node[colours[len(waiting) % 2]] = [point]
            parts.append("(;" + properties_text(node))
            waiting.append(bool(bits & _SIBLING))
            while bits & _LEAF and waiting:
                parts.append(")")
                if waiting.pop():
                    break
        return "".join([*parts, ")" * len(waiting), ")"]), None


def _annotations(source: io.BytesIO, bits: int, point: str) -> Properties:
    """Return the comment, label and mark of a node, which are stored after the node."""
    more = source.read(2)[1:2] if bits & _MORE else b""
    node: Properties = {}
    if bits & (_OLD_COMMENT | _COMMENT):
        node["C"] = [_text(source, bool(bits & _OLD_COMMENT))]
    if more and more[0] & _LABEL:
        node["LB"] = [f"{point}:{_text(source)}"]
    if bits & _MARK:
        node["MA"] = [point]
    return node


def _text(source: io.BytesIO, is_old: bool = False) -> str:
    """Return the next text: up to a zero byte or, in the old form, up to a byte above 127."""
    text = bytearray()
    while pair := source.read(2):
        text += pair
        if 0 in pair or is_old and max(pair) > 127:
            break
    if is_old:
        text = bytearray(byte & 127 for byte in text)
    return decode(bytes(text).split(b"\0")[0].replace(b"\b", b"\n")).strip()


ARCHIVES = (Wthor(), RenLib(), RenjuNet())
