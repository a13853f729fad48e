"""The pinned searches: questions to the search whose answers are known to the node.

tests/data/pinned.txt holds them, one a line:

    game | position | question | answer

The position is `start` or the game's text, with `moves ...` after it; the game `+`
goes on in the session of the line above, which remembers what it found.  The question
is a bound (`depth N`, `mate N`, or `solve` where the game's solver ends the search),
then root moves (`only MOVE,MOVE`) and options (`NAME=VALUE`).  The answer is the
number of nodes and for each line asked for depth, score and the first moves; a score
`win 5` is a win five plies away.

No clock is asked for anything, so the answers are the same everywhere.
`scripts/bench --pin` writes them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.base import Line

import pathlib
from collections.abc import Iterable
from typing import Any

from games import registry
from games.base import MAX_SCORE, WIN
from protocol.options import set_option
from search.limits import Limits
from search.session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent
PINNED = ROOT / "tests" / "data" / "pinned.txt"
PLUGIN = ROOT / "tests" / "plugins" / "nim.py"

# A search that has not ended after so many seconds never will.
_PATIENCE = 300
_MOVES_SHOWN = 6
_MEGABYTES = "4"


class Question:
    """A line of the file.

    pinned: the answer that it gives; goes_on: in the session of the line above?
    """

    def __init__(self, line: str) -> None:
        self.game, self.position, self.words, self.pinned = (
            part.strip() for part in line.split("|")
        )
        self.goes_on = self.game == "+"

    def __str__(self) -> str:
        return f"{self.game} | {self.position} | {self.words}"


def questions(lines: Iterable[str]) -> list[list[Question]]:
    """[[Question]]: those of one session together.

    Empty lines and those that begin with # say nothing.
    """
    groups: list[list[Question]] = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            question = Question(line)
            if question.goes_on:
                groups[-1].append(question)
            else:
                groups.append([question])
    return groups


def answers(group: list[Question]) -> list[str]:
    """The answers to the questions of one session."""
    if group[0].game == "nim" and "nim" not in registry.names():
        registry.load_plugin(str(PLUGIN))
    session = Session(group[0].game)
    session.set_option("Hash", _MEGABYTES)
    session.set_option("OwnBook", "false")
    return [_answer(session, question) for question in group]


def pin(lines: list[str]) -> list[str]:
    """The lines of the file with the answers of today."""
    found = iter([answer for group in questions(lines) for answer in answers(group)])
    return [
        line
        if not line.strip() or line.startswith("#")
        else line.rpartition("|")[0] + "| " + next(found)
        for line in lines
    ]


def _answer(session: Session, question: Question) -> str:
    limits = _set_up(session, question)
    nodes: list[int] = [0]
    results: list[Any] = []
    session.start(limits, lambda report, position: nodes.append(report.nodes), results.append)
    if not session.wait(_PATIENCE):
        raise TimeoutError(f"no answer: {question}")
    lines = results[0].lines[: session.values["MultiPV"]]
    return f"{nodes[-1]} nodes: " + " / ".join(_line(session, line) for line in lines)


def _set_up(session: Session, question: Question) -> Limits:
    """Set options and position; the Limits of the search."""
    words = iter(question.words.split())
    bounds: dict[str, Any] = {}
    only = None
    for word in words:
        if word in ("depth", "mate"):
            bounds[word] = int(next(words))
        elif word == "only":
            only = next(words).split(",")
        elif word != "solve":
            set_option(session, *word.split("=", 1))
    text, _, played = question.position.partition(" moves ")
    session.setup(None if text == "start" else text, played.split())
    if only is not None:
        bounds["moves"] = [session.position.parse_move(move) for move in only]
    return Limits(**bounds)


def _line(session: Session, line: Line) -> str:
    position, texts = session.copy_position(), []
    for move in line.moves[:_MOVES_SHOWN]:
        texts.append(position.move_text(move))
        position.make(move)
    more = [f"+{len(line.moves) - _MOVES_SHOWN}"] if len(line.moves) > _MOVES_SHOWN else []
    return " ".join(
        [f"depth {line.depth}{' exact' if line.exact else ''}", _score(line.score), *texts, *more]
    )


def _score(score: int) -> str:
    if abs(score) > MAX_SCORE:
        return f"{'win' if score > 0 else 'loss'} {WIN - abs(score)}"
    return f"{score:+d}"
