"""UCI's words: `go` read into Limits; options, searches and positions written as lines."""
from __future__ import annotations

from games.base import WIN
from games.grid import picture
from games.options import is_whole
from protocol import moves
from protocol.base import CommandError
from protocol.scores import result_of, value_at_end
from search.limits import Limits
from search.perft import MOST_PLIES
from search.wdl import mate_moves, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from games.base import Option, Position
    from search.root import Report

_COUNTS = ("depth", "nodes", "mate", "movestogo")
_TIMES = ("wtime", "btime", "winc", "binc", "movetime")
_FLAGS = ("infinite", "ponder")
_KEYWORDS = _COUNTS + _TIMES + _FLAGS + ("searchmoves", "perft")

_BOUNDS = {"": "", "lower": " lowerbound", "upper": " upperbound"}

# Python's recursion and the clock need bounds that no front end comes near.
_LARGEST = 10**15


# ---- go ------------------------------------------------------------------------------


def read_go(words: Sequence[str], position: Position) -> tuple[Limits | None, int, list[str]]:
    """(Limits or None for `perft`, its depth, unknown words) of the words after `go`.

    As UCI has it, unknown words do not keep the others from being carried out.
    CommandError in words where a known one is wrong, or there is none.
    """
    unknown: list[str] = []
    found: dict[str, int] = {}
    root_moves: list[int] | None = None
    index = 0
    while index < len(words):
        word = words[index].lower()
        index += 1
        if word in _FLAGS:
            found[word] = 1
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
            unknown.append(word)
    if unknown and not found and root_moves is None:
        raise CommandError(f"go: unknown word {unknown[0]}")
    if "perft" in found:
        return None, found["perft"], unknown
    return _limits(found, root_moves), 0, unknown


def _root_move(word: str, position: Position) -> list[int]:
    if word == "0000" and position.game.pass_move is None:
        return []       # a front end's way to say that there is no move to choose from
    return [moves.read(position, word)]


def _number(word: str, text: str) -> int:
    if not is_whole(text):
        raise CommandError(f"go {word}: not a whole number: {text}")
    value = int(text[:20])
    least = {"movestogo": 0, "perft": 0}.get(word, 1 if word in _COUNTS else -_LARGEST)
    if not least <= value <= (MOST_PLIES if word == "perft" else _LARGEST):
        raise CommandError(f"go {word}: out of range: {text}")
    return value


def _seconds(found: dict[str, int], word: str) -> float | None:
    return None if word not in found else max(found[word], 0) / 1000


def _limits(found: dict[str, int], root_moves: list[int] | None) -> Limits:
    return Limits(depth=found.get("depth"), nodes=found.get("nodes"), mate=found.get("mate"),
                  movetime=_seconds(found, "movetime"),
                  clocks=(_seconds(found, "wtime"), _seconds(found, "btime")),
                  increments=(_seconds(found, "winc") or 0.0, _seconds(found, "binc") or 0.0),
                  moves_to_go=found.get("movestogo") or None, moves=root_moves,
                  infinite="infinite" in found, ponder="ponder" in found)


# ---- options -------------------------------------------------------------------------


def option_line(option: Option) -> str:
    """The line that declares an option to UCI."""
    words = f"option name {option.name} type {option.kind}"
    if option.kind == "button":
        return words
    if option.kind == "check":
        return f"{words} default {str(option.default).lower()}"
    if option.kind == "spin":
        return f"{words} default {option.default} min {option.low} max {option.high}"
    if option.kind == "combo":
        choices = "".join(f" var {choice}" for choice in option.choices)
        return f"{words} default {option.default}{choices}"
    return f"{words} default {option.default or '<empty>'}"


# ---- searches ------------------------------------------------------------------------


def score_words(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """`cp N`, or `mate N` in the winner's moves, negative for the side that loses.

    line: the principal variation of the score.
    """
    mate = mate_moves(score, position, line)
    return f"cp {score}" if mate is None else f"mate {mate}"


def report_line(report: Report, position: Position, show_wdl: bool = False,
                bound: bool = True) -> str:
    """The info line of a Report.  bound: is it told where the score is only a bound?"""
    speed = round(report.nodes / max(report.seconds, 0.001))
    counters = (f"nodes {report.nodes} nps {speed} hashfull {report.hashfull} tbhits 0"
                f" time {round(report.seconds * 1000)}")
    line = report.line
    if line is None:
        if report.current is None:
            return f"info {counters}"
        move, number = report.current
        return f"info currmove {moves.drop(position, move)} currmovenumber {number} {counters}"
    score = score_words(line.score, position, line.moves)
    if bound:
        score += _BOUNDS[line.bound]
    if show_wdl:
        score += " wdl {} {} {}".format(*wdl(line.score, position.win_scale()))
    pv = " ".join(moves.variation(position, line.moves, moves.drop))
    return (f"info depth {line.depth} seldepth {max(report.seldepth, line.depth)}"
            f" multipv {line.multipv} score {score} {counters} pv {pv}")


def finished_line(position: Position) -> str:
    """The info line for `go` in a finished game."""
    value = value_at_end(position) or 0
    if value <= -WIN:
        return "info depth 0 score mate 0"
    return f"info depth 0 score {'mate 1' if value >= WIN else f'cp {value}'}"


def trace_line(event: tuple[Any, ...]) -> str:
    """The info string of an event of a traced tree search."""
    if event[0] == "pruned":
        return " ".join(["info string pruned", *event[1]])
    _, name, alpha, beta = event
    return f"info string visit {name} alpha {_bound(alpha, '-inf')} beta {_bound(beta, 'inf')}"


def _bound(value: int | None, open_end: str) -> str:
    if value is None:
        return open_end
    return "W" if value == WIN else "L" if value == -WIN else str(value)


# ---- positions -----------------------------------------------------------------------


def result_words(position: Position) -> str:
    """`*`, or the result (1 = the player who moves first) and the reason in words."""
    outcome = position.outcome()
    return "*" if outcome is None else f"{result_of(outcome)} {outcome.reason}"


def display(position: Position) -> list[str]:
    """The lines of `d`."""
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    return [*picture(position), *position.notes(), "", f"Fen: {position.text()}",
            f"Key: {position.key:016X}", f"Moves: {legal}".rstrip(),
            f"Result: {result_words(position)}"]
