"""The words after `go` in UCI and in protocols like it, as the Limits of a search."""

from __future__ import annotations

from games.base import DEEPEST_PERFT, MoveError
from games.options import is_whole
from games.registry import hint
from protocol.base import each_word, first_word, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.types import Side
    from protocol.universal import Universal
    from search.clock import Clock
    from search.limits import Limits

    # {word: (field of TimeControl, the player whose clock it sets, None for both)}
    ClockWords = Mapping[str, tuple[str, Side | None]]

# Words that are also parameters of Limits.
_COUNTS = ("depth", "nodes", "mate")
_FLAGS = ("infinite", "ponder")

# Largest number to accept; front ends send far smaller ones.
_LARGEST = 10**15

# Seconds for a search whose limits are all unreadable, since the front end waits for an answer.
_INSTEAD = 0.1
# Maximum number of distinct words that are read after `searchmoves`, since a line may have
# millions.
_MAX_ROOT_WORDS = 1000


def clock_words(players: str) -> ClockWords:
    """Return the words for the players' clocks: wtime, winc, btime and binc for "wb".

    players: the letters of the first and the second player.
    """
    fields = {"time": "main", "inc": "increment"}
    return {
        letter + word: (field, player)
        for player, letter in enumerate(players)
        for word, field in fields.items()
    }


class GoRequest:
    """The words after `go`; invalid words don't stop the others from taking effect.

    protocol: has the position, the words for the players' clocks, and the notation of moves.
    limits: the Limits of the search, None for `go perft`.
    perft: the depth of `go perft`, None if it is missing or invalid.
    complaints: an error message for each keyword with an invalid number or move, and for the
        first unknown word.
    """

    def __init__(self, text: str, protocol: Universal) -> None:
        self._position = protocol.session.position
        self._clock_words = protocol.clock_words
        self._read_move = protocol.read_move
        self._numbers = {*_COUNTS, *self._clock_words, "movestogo", "movetime", "perft"}
        self._keywords = {*self._numbers, *_FLAGS, "searchmoves"}
        self._found: dict[str, int] = {}
        # _root_words: the distinct words after `searchmoves`.
        # _faults: {keyword: what is wrong with its number or moves}.
        self._root_words: dict[str, None] = {}
        self._faults: dict[str, str] = {}
        self._read(text)
        self._root_moves = self._read_root_moves()
        self.complaints = list(self._faults.values())
        self.perft = self._found.get("perft")
        asks_perft = first_word(text)[0].lower() == "perft"
        self.limits = None if asks_perft or self.perft is not None else self._limits()

    def _read(self, text: str) -> None:
        taking = ""  # the keyword that the next words belong to
        for part in each_word(text):
            word = part.lower()
            if taking in self._numbers and word not in self._keywords - {"infinite"}:
                self._read_number(taking, part)
                taking = ""
            elif word in self._keywords:
                taking = word
                if word in _FLAGS:
                    self._found[word] = 1
                elif word in self._numbers:
                    # removed by _read_number() if a number follows
                    self._faults[word] = f"go {word}: expected a number"
            elif taking == "searchmoves":
                if len(self._root_words) < _MAX_ROOT_WORDS:
                    self._root_words[part] = None
            else:  # unknown, as are all words up to the next keyword
                taking = ""
                if "unknown" not in self._faults:
                    near = hint(word, self._keywords)
                    self._faults["unknown"] = f"go: unknown word {printable(word, 40)}{near}"

    def _read_root_moves(self) -> list[int]:
        found = []
        for word in self._root_words:
            if word == "0000" and self._position.game.pass_move is None:
                continue  # some front ends send 0000 if no move is legal
            try:
                found.append(self._read_move(self._position, word))
            except MoveError:
                fault = f"go searchmoves: {printable(word, 40)} is not a legal move here"
                self._faults.setdefault("searchmoves", fault)
        return found

    def _read_number(self, word: str, text: str) -> None:
        """Read a keyword's number: clamp it to its range and drop a fraction.

        Leave the keyword out if the text isn't a number.
        """
        del self._faults[word]
        whole, dot, fraction = text.partition(".")
        readable = is_whole(whole) and (fraction or "0").isdigit()
        if dot or not readable:
            self._faults[word] = f'go {word} must be a whole number, not "{printable(text, 40)}"'
        if not readable:
            return
        value = int(whole[:20])
        least = {"movestogo": 0, "perft": 0}.get(word, 1 if word in _COUNTS else -_LARGEST)
        most = DEEPEST_PERFT if word == "perft" else _LARGEST
        if not dot and not least <= value <= most:
            self._faults[word] = f"go {word}: out of range: {printable(text, 40)}"
            if word == "perft":
                return  # counting to another depth than requested would be useless
        self._found[word] = min(max(value, least), most)

    def _limits(self) -> Limits:
        side = self._position.side
        clock = self._clock(side)
        if clock.seconds is None:  # perhaps only the other player's clock is known
            clock = self._clock(1 - side)
        counts = {word: self._found.get(word) for word in _COUNTS}
        flags = {word: word in self._found for word in _FLAGS}
        limits = clock.limits(**counts, **flags, moves=self._root_moves or None)
        limits.movetime = self._seconds("movetime")
        if self._faults and not (limits.bounded() or any(flags.values())):
            limits.movetime = _INSTEAD
        return limits

    def _clock(self, player: Side) -> Clock:
        from search.clock import Clock, TimeControl

        fields: dict[str, Any] = {"moves": self._found.get("movestogo") or None}
        for word, (field, owner) in self._clock_words.items():
            seconds = self._seconds(word)
            if seconds is not None and owner in (player, None):
                fields[field] = seconds
        if fields.get("period"):
            fields.setdefault("main", 0.0)
        return Clock(TimeControl(**fields))

    def _seconds(self, word: str) -> float | None:
        return max(self._found[word], 0) / 1000 if word in self._found else None
