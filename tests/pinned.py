"""The pinned searches: questions whose answers are known exactly, node counts included.

tests/data/pinned.txt holds one search per line:

    game | position | question | answer

The position is `start` or the game's text, optionally with `moves ...` after it.  A line whose game
is `+` continues the session of the line above, with its hash table.  The question is a limit:
`depth N`, `mate N`, or `solve` if the game's solver ends the search.  Root moves (`only MOVE,MOVE`)
and options (`NAME=VALUE`) may follow.  The answer is the node count, then the depth, score and first
moves of each requested line; the score `win 5` is a win five plies away.

Nothing depends on a clock, so the answers are the same everywhere.  Run as a program, this module
rewrites the answers in the file.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterable
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from games import registry
from games.base import MAX_SCORE, WIN
from games.solver import Line
from search.limits import Limits
from search.session import Session

ROOT = pathlib.Path(__file__).resolve().parent.parent
PINNED = ROOT / "tests" / "data" / "pinned.txt"
PLUGIN = ROOT / "tests" / "plugins" / "nim.py"

# Seconds after which a search counts as hung.
_PATIENCE = 300
_MOVES_SHOWN = 6
_MEGABYTES = "4"


class Question:
    """A line of tests/data/pinned.txt.

    pinned: the answer in the file.
    goes_on: whether the line continues the session of the line above.
    """

    def __init__(self, line: str) -> None:
        self.game, self.position, self.words, self.pinned = (
            part.strip() for part in line.split("|")
        )
        self.goes_on = self.game == "+"

    def __str__(self) -> str:
        return f"{self.game} | {self.position} | {self.words}"


def questions(lines: Iterable[str]) -> list[list[Question]]:
    """Return [[Question]], grouped by session; skip empty lines and lines that begin with #."""
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
    """Return the answers to the questions of one session."""
    if group[0].game == "nim" and "nim" not in registry.names():
        registry.load_plugin(str(PLUGIN))
    session = Session(group[0].game)
    session.set_option("Hash", _MEGABYTES)
    session.set_option("OwnBook", "false")
    return [_answer(session, question) for question in group]


def pin(lines: list[str]) -> list[str]:
    """Run all searches again; return the file's lines with the new answers."""
    found = iter([answer for group in questions(lines) for answer in answers(group)])
    return [
        f"{line.rpartition('|')[0]}| {next(found)}" if line.strip() and line[0] != "#" else line
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
    """Set options and position and return the Limits of the search."""
    words = iter(question.words.split())
    bounds: dict[str, Any] = {}
    only = None
    for word in words:
        if word in ("depth", "mate"):
            bounds[word] = int(next(words))
        elif word == "only":
            only = next(words).split(",")
        elif word != "solve":
            session.set_option(*word.split("=", 1))
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


if __name__ == "__main__":
    PINNED.write_bytes(
        ("\n".join(pin(PINNED.read_text(encoding="utf-8").splitlines())) + "\n").encode()
    )
