"""A game with its variations as the page holds it: the plain data of JSON lines, with additions.

Each step has the fields of protocol/records/json_lines.py (move, before, comment, nags, said,
variations).  For display it also has the fields of notes.named(), and number, mark and note: note
is the evaluation of the position after the move, as in notes.plain_note.  The page sends back the
same steps, with changed marks and evaluations.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Sequence
from typing import Any

from games import registry
from games.base import Game, Position
from games.looks import players_of, title_of
from games.openings import opening_of
from protocol.records.formats import Collection, guess, looks_like_moves
from protocol.records.json_lines import to_plain
from protocol.records.record import Record, RecordError, Start, Step
from scripts.pages import fields
from scripts.pages.fields import Body, Wrong
from scripts.pages.notes import named, plain_note


def plain_game(record: Record) -> dict[str, Any]:
    """Return a game as the JSON object that the page works with."""
    return {"comment": "", "line": [], **to_plain(record, _decorate)}


def game_title(players: Sequence[str], game: Game, result: str) -> str:
    """Return a game's title: its players, or their colours if unnamed, and its result if known."""
    names = " – ".join(name or colour for name, colour in zip(players, players_of(game)))
    return f"{names} {result.replace('1/2-1/2', '½–½').replace('*', '')}".strip()


def record_title(record: Record) -> str:
    """Return a record's title, or its event (a study's chapter) if it names no players."""
    named = game_title(record.players, record.start.game, record.result)
    return named if any(record.players) else record.tags.get("Event", named)


def add_opening(record: Record) -> None:
    """Add the PGN tags ECO and Opening to a game of chess, unless it has one of them."""
    if record.start.game.san and not {"ECO", "Opening"} & record.tags.keys():
        opening = opening_of(record.start.position(), record.moves)
        if opening is not None:
            record.tags.update(ECO=opening[0], Opening=opening[1])


def _decorate(position: Position, step: Step, number: int, plain: dict[str, Any]) -> None:
    """Add the fields for display to a plain step.  position: the position before its move."""
    plain.update(named(position, step.move), number=number)
    if step.mark:
        plain["mark"] = step.mark
    if (evaluation := step.evaluation) is not None:
        position.make(step.move)
        plain["note"] = plain_note(evaluation, position)
        position.undo()


def open_text(text: str, game_name: str) -> tuple[Collection, Record]:
    """Return (the Collection of a text, its first readable game); raise Wrong if it has none.

    If the text is a position, return an empty Collection and a record without moves.
    game_name: the game to read if the format doesn't name the game, or if the text can't be read as
    the game that it names (many programs label every game as chess or Go).  If a list of moves is
    invalid in this game but valid in chess, it is read as chess.
    """
    form = guess(text)
    if form.name == "moves":
        try:
            return Collection(""), fields.record({"game": game_name, "start": text.strip()})
        except RecordError:
            if "/" in text and not looks_like_moves(text):
                raise
    names: list[str | None] = [None, game_name]
    if form.line_is_opening:
        names = [game_name, None] if form.holds(Start(game_name)) else [None]
    collections = [Collection(text, form, name) for name in names]
    found = [(games, record) for games in collections for record in itertools.islice(games, 1)]
    sound = [each for each in found if not (form.line_is_opening and each[1].fault)]
    best = [*sound, *(each for each in found if each[0] is collections[0])]
    if best:
        return best[0]
    title = title_of(registry.get(names[0] or "chess"))
    hint = f" (read as {title}; for another game choose it first)" if form.line_is_opening else ""
    raise Wrong(f"{collections[0].reason()}{hint}")


class OpenFile:
    """A file that a page has open: its games, read one by one, and their titles.

    game_name: see open_text().  Raises Wrong if the file has no game.
    """

    def __init__(self, data: bytes, game_name: str) -> None:
        self._games, first = open_text(Collection(data).text, game_name)
        self._first = self._answer(first)
        self._heads = self._games.heads()
        self._titles: list[str] = []
        self._lock = threading.Lock()

    def _answer(self, record: Record) -> Body:
        return {
            "game": plain_game(record),
            "at": max(self._games.number - 1, 0),
            "problems": [*self._games.problems],
        }

    def read(self, at: int | None) -> Body:
        """Return {game, at, problems}: the game with the index `at`, or the first readable one."""
        if at is None:
            return self._first
        with self._lock:
            self._games.problems.clear()
            record = self._games.game(at + 1)
            if record is None:
                raise Wrong(self._games.problems[-1])
            return self._answer(record)

    def titles(self, begin: int, seconds: float) -> Body:
        """Read on for `seconds`; return {titles, share}: the titles from index `begin` on.

        share: the part of the text that has been read, 1 at its end.
        """
        until = time.monotonic() + seconds
        with self._lock:
            share = 1.0
            for read, head in self._heads:
                self._titles.append("unreadable" if head is None else record_title(head))
                if time.monotonic() > until:
                    share = read
                    break
            return {"titles": self._titles[begin:], "share": share}
