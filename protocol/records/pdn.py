"""PDN, the format of draughts games: a dialect of PGN.

Its standard is PDN 3.0 (Wieger Wesselink); the values of GameType from 96 on are Lidraughts' own.
"""

from __future__ import annotations

import re

from games import registry
from protocol.records.pgn import Pgn
from protocol.records.pgn_text import TOKEN
from protocol.records.record import RecordError, Start, shown
from protocol.records.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.base import Game

# The number in the tag GameType -> (the game, the rest of the tag).  The rest is PDN's code for who
# begins, columns, rows, the notation of squares, and the corner that lacks a square.
_TYPES = {
    "20": ("draughts", "W,10,10,N2,0"),
    "21": ("checkers", "B,8,8,N1,0"),
    "25": ("russian", "W,8,8,A0,0"),
    "26": ("brazilian", "W,8,8,A0,0"),
    "40": ("frisian", "W,10,10,N2,0"),
    "96": ("breakthroughdraughts", "W,10,10,N2,0"),
    "97": ("frysk", "W,10,10,N2,0"),
    "98": ("antidraughts", "W,10,10,N2,0"),
    "99": ("draughts", ""),  # Lidraughts' games from a set-up position; read, never written
}
_NUMBERS = {game: number for number, (game, rest) in _TYPES.items() if rest}
# A first move.  A diagonal step by letters is draughts: chess pawns go diagonally only to capture.
_NUMBERED_MOVE = r"(?:\d{1,2}[-x:]\d{1,2}(?![-/\d])|[aceg]3-?[bdfh]4)"
# A square of a move or of a position.
_SQUARE = re.compile(r"(?<!\w)[WBK]{0,2}(\d{1,2}(?=[-x:,]|\.?\Z)|[a-h][1-8])|(?<=\d[-x:])(\d{1,2})")
_LARGEST_OF_64, _FIRST_OF_50 = 32, 31
# _guess() looks for squares in the first _HEAD characters of a game.
_HEAD = 4000
# Tags and comments.  Nested brackets don't match, since they would take quadratic time.
_NOT_MOVES = r"\[[^][]*\]|\{[^{}]*\}|^%[^\n]*"
_COLUMNS = r"(?:\d{1,2}[-x:]){1,9}\s{1,9}\d{1,2}(?!\S)"  # a move in columns: `1- 6`


class Pdn(Pgn):
    """PDN; a game without GameType is recognised by its squares."""

    title = "PDN"
    games = "draughts"
    suffixes = (".pdn",)
    token = re.compile(TOKEN.pattern.replace("(?P<word>", f"(?P<word>{_COLUMNS}|"), TOKEN.flags)
    sign = re.compile(
        r"\A(?:[^\[]{0,999}\[[^\]\n]*\]){0,99}?[^\[]{0,999}"
        r'\[(?:GameType\s*"(?!6[01],)|FEN\s*"\s*[WB]\s*:\s*[WB])'
        rf"|\A(?:\[[^\]\n]*\]\s*)*(?:\{{[^}}]*\}}\s*)?1\s?\.(?:\s?\.\.)?\s*{_NUMBERED_MOVE}"
    )
    hint = re.compile(r"(?!)")
    own_tags = (*Pgn.own_tags, "GameType")
    results = dict(zip(("2-0", "1-1", "0-2", "2:0", "1:1", "0:2"), 2 * ("1-0", "1/2-1/2", "0-1")))
    counts_points = False

    def usual(self, game: Game) -> bool:
        return game.name in _NUMBERS

    def start(self, tags: Mapping[str, str], game_name: str | None, text: str) -> Start:
        fen = one_line(tags.get("FEN", "")).replace(" ", "") or None
        number = tags.get("GameType", "").split(",")[0].strip() or _guess(fen or "", text)
        if number not in _TYPES:
            raise RecordError(f"unsupported type of game: {shown(number)}")
        name = _TYPES[number][0]
        if game_name is not None and registry.canonical(game_name) in _NUMBERS:
            name = game_name
        return Start(name, fen)

    def start_tags(self, start: Start) -> dict[str, str]:
        number = _NUMBERS[start.game.name]
        tags = {"GameType": f"{number},{_TYPES[number][1]}"}
        return tags if start.text is None else {**tags, "SetUp": "1", "FEN": start.text}


def _guess(fen: str, text: str) -> str:
    """Return the number of the game's type, guessed from the squares of position and moves."""
    moves = re.sub(_NOT_MOVES, " ", text[:_HEAD], flags=re.MULTILINE)
    squares = ["".join(pair) for pair in _SQUARE.findall(moves) + _SQUARE.findall(fen[:_HEAD])]
    if any(not square.isdigit() for square in squares):
        return "25"
    numbers = [int(square) for square in squares]
    if not numbers or max(numbers) > _LARGEST_OF_64:
        return "20"
    # On 50 squares, the men that move first stand on 31 to 35; on 32 squares, on 9 to 12.
    return "21" if fen or numbers[0] < _FIRST_OF_50 else "20"


FORMAT = Pdn()
