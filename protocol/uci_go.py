"""The words of UCI's `go`, read into Limits."""
from __future__ import annotations

from protocol import moves
from protocol.base import CommandError
from search.limits import Limits

_COUNTS = ("depth", "nodes", "mate", "movestogo")
_TIMES = ("wtime", "btime", "winc", "binc", "movetime")
_FLAGS = ("infinite", "ponder")
_KEYWORDS = _COUNTS + _TIMES + _FLAGS + ("searchmoves", "perft")

# Python's recursion and the clock need bounds that no front end comes near.
_LARGEST = 10**15


def read_go(words, position):
    """(Limits, None), or (None, depth) for `perft`, of the words after `go`; CommandError in words."""
    found, root_moves, index = {}, None, 0
    while index < len(words):
        word = words[index].lower()
        index += 1
        if word in _FLAGS:
            found[word] = True
        elif word == "searchmoves":
            root_moves = []
            while index < len(words) and words[index].lower() not in _KEYWORDS:
                root_moves += _root_move(words[index], position)
                index += 1
        elif word in _KEYWORDS:
            if index == len(words):
                raise CommandError(f"go {word}: a number is missing")
            found[word] = _number(word, words[index])
            index += 1
        else:
            raise CommandError(f"go: unknown word {word}")
    if "perft" in found:
        return None, found["perft"]
    return _limits(found, root_moves), None


def _root_move(word, position):
    if word == "0000" and position.game.pass_move is None:
        return []       # a front end's way to say that there is no move to choose from
    return [moves.read(position, word)]


def _number(word, text):
    try:
        value = int(text[:20])
    except ValueError:
        raise CommandError(f"go {word}: not a whole number: {text}") from None
    least = {"movestogo": 0, "perft": 0}.get(word, 1 if word in _COUNTS else -_LARGEST)
    if not least <= value <= _LARGEST:
        raise CommandError(f"go {word}: out of range: {text}")
    return value


def _seconds(found, word):
    return None if word not in found else max(found[word], 0) / 1000


def _limits(found, root_moves):
    return Limits(depth=found.get("depth"), nodes=found.get("nodes"), mate=found.get("mate"),
                  movetime=_seconds(found, "movetime"),
                  clocks=(_seconds(found, "wtime"), _seconds(found, "btime")),
                  increments=(_seconds(found, "winc") or 0.0, _seconds(found, "binc") or 0.0),
                  moves_to_go=found.get("movestogo") or None, moves=root_moves,
                  infinite="infinite" in found, ponder="ponder" in found)
