"""The games to play: their openings, read from files or made of random moves, and their pairings.

An opening is (Start, [canonical moves]).  A start position that only exists in Chess960 is played
as Chess960.

In each round every pairing plays two games from the same opening with colours swapped; the round's
number selects the opening.  Ids don't change when rounds are added, so they show which games of a
continued tournament were already played.
"""

from __future__ import annotations

import hashlib
import itertools
import pathlib
import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.base import Position
from protocol.records.formats import Collection, open_file
from protocol.records.lists import Openings
from protocol.records.record import RecordError, Start
from scripts.command_line import translated
from scripts.jobs.files import PathLike

Opening = tuple[Start, list[str]]
KINDS = ROUND_ROBIN, GAUNTLET = ("round-robin", "gauntlet")
TRIES = 200  # attempts at a new random opening before earlier ones are repeated


class OpeningError(Exception):
    """Raised if an opening can't be used; the message says why."""


@dataclass
class OpeningSource:
    """An endless sequence of openings; the opening at an index is the same in every run.

    known: distinct openings.  further: yields more of them.  When it has no more, all openings are
    repeated in order.
    terms: plain data that identifies the openings in a record.
    problems: messages about openings that can't be used.
    """

    known: list[Opening]
    further: Iterator[Opening] = iter(())
    terms: dict[str, Any] | None = None
    problems: Sequence[str] = ()

    def __getitem__(self, index: int) -> Opening:
        wanted = max(index + 1 - len(self.known), 0)
        self.known += itertools.islice(self.further, wanted)
        return self.known[index % len(self.known)]


def file_openings(
    start: Start, path: PathLike, plies: int | None = None, seed: int | None = None
) -> OpeningSource:
    """Return the openings of a file; raise OpeningError if it has none.

    In a record or an archive each game is an opening.  In other files each line is an opening:
    a position text, moves, or `TEXT moves MOVE ...`.  EPD operations, empty lines and lines
    that begin with `#` are skipped.

    start: the game and the default options; an opening's own options override them.
    plies: maximum length of an opening.
    seed: seed for shuffling the openings, None to keep the order of the file.
    """
    with translated(OpeningError, RecordError, path=path):
        games = open_file(str(path), start.game.name)
        if games.format.line_is_opening:
            games = Collection(games.text, Openings(start), start.game.name)
        openings = list(_usable(start, games, plies))
    if not openings:
        problems = [*games.problems, "the file holds no opening"]
        raise OpeningError(f"{path}: {problems[0]}")
    if seed is not None:
        random.Random(f"{start.game.name}/{seed}").shuffle(openings)
    digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    terms = {"sha256": digest, "plies": plies, "seed": seed}
    return OpeningSource(openings, terms=terms, problems=games.problems)


def random_openings(start: Start, plies: int, seed: int) -> OpeningSource:
    """Return openings of random moves.  Each reaches a different position in an unfinished game."""
    return OpeningSource([], _random(start, plies, seed), {"random plies": plies, "seed": seed})


def _random(start: Start, plies: int, seed: int) -> Iterator[Opening]:
    """Yield openings of random moves until TRIES attempts find no new position.

    Raise OpeningError if there is no opening at all.
    """
    keys: set[int] = set()  # keys of the positions reached
    for index in itertools.count():
        dice = random.Random(f"{start.game.name}/{plies}/{seed}/{index}")
        for _ in range(TRIES):
            position, played = _random_moves(start, plies, dice)
            if position.outcome() is None and position.key not in keys:
                break
        else:
            break
        keys.add(position.key)
        yield start, played
    if not keys:
        raise OpeningError(f"{start.game.name}: every game is over after {plies} random plies")


def _random_moves(start: Start, plies: int, dice: random.Random) -> tuple[Position, list[str]]:
    """Return (the position after random moves, these moves)."""
    position, played = start.position(), []
    for _ in range(plies):
        moves = sorted(position.legal_moves())
        if not moves:
            break
        move = dice.choice(moves)
        played.append(position.move_text(move))
        position.make(move)
    return position, played


def _usable(usual: Start, games: Collection, plies: int | None) -> Iterator[Opening]:
    """Yield the openings among `games`; the others become problems of `games`."""
    game = usual.game
    length = 0 if games.format.moves_are_answers else plies
    for record in games:
        start = Start(game, record.start.text, {**usual.options, **record.start.options})
        if record.start.game.name != game.name:
            games.refuse(f"a game of {record.start.game.name}, not of {game.name}")
            continue
        position, texts = start.position(), []
        for step in record.line[:length]:
            if step.move == position.null_move() != game.pass_move:
                break
            texts.append(position.move_text(step.move))
            position.make(step.move)
        if position.outcome() is None:
            yield start, texts
        else:
            games.refuse("the game is over after the opening")


# ---- pairings ------------------------------------------------------------------------


def pairings(names: Sequence[str], kind: str = ROUND_ROBIN) -> list[tuple[str, str]]:
    """Return the pairs of players who meet.

    kind: ROUND_ROBIN (all players meet) or GAUNTLET (the first player meets all others).
    """
    pairs = itertools.combinations(names, 2)
    return [pair for pair in pairs if kind == ROUND_ROBIN or pair[0] == names[0]]


def schedule(
    names: Sequence[str], rounds: int, kind: str = ROUND_ROBIN, played: Container[str] = ()
) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Yield (id, round from 0, (player 0, player 1)) of the games to play, in order.

    played: ids of games to leave out.
    An id is `ROUND/ONE-OTHER/GAME`, with rounds from 1.  ONE moves first in game 1, OTHER in
    game 2.
    """
    for number in range(rounds):
        for first, second in pairings(names, kind):
            pair = f"{number + 1}/{first}-{second}"
            for game, players in ((f"{pair}/1", (first, second)), (f"{pair}/2", (second, first))):
                if game not in played:
                    yield game, number, players
