"""What a page may ask for: one table of commands, JSON in and JSON out.

POST api/NAME with a JSON object; the answer is one too: {"error": "in words"} where the command is
wrong.  `game ...` stands for game (its name), options (of the game), start (a position's text, or
null), moves (texts).

games       -> {games: [facts], engines: [names], game, marks, examples, chessmen, tournament}
position    game ... -> the view (view.py): where the moves lead
move        game ..., text -> {move, words}: a typed move, in any notation
think       game ..., page, seat, ticket, engine, [movetime, depth, nodes, infinite, clocks,
            increments], [skill | elo], [lines] -> {}: the answers come as events (desk.py)
stop        page, seat, ticket, [move] -> {}; move: play what was found
read        text, [game] -> {games: [game, options, start, line, comment, said, players, result,
            tags], count, problems, [tournament]}: PGN, SGF, GGF, JSON lines, EPD, moves; count:
            of the games, of which the first 200 are told; problems: those of these games, in
            words; a tournament's table (watching.py)
write       game, options, start, line, comment, said, players, result, tags, [format]
            -> {text, suffix}; lines: see records.py
lesson      tree | game ..., depth; algorithm -> nodes and steps: a search, visit by visit
            (lesson.py)
lesson_picture  as lesson, and step, windows, boards, animated -> {text}: as SVG
random_tree seed, difficulty -> {tree}
replay      id -> the game, as read tells it, of the tournament that is watched
"""
from __future__ import annotations

from typing import Any

from games import registry
from games.base import GameError
from protocol.records.formats import SUFFIXES, WRITTEN, own_format, write_record
from protocol.records.record import RecordError
from protocol.records.san import move_words
from scripts.arena.record import parse_results
from scripts.browser import fields, records
from scripts.browser.desk import SEATS, Desk, Job
from scripts.browser.fields import Wrong
from scripts.browser.lesson import EXAMPLES, lesson, lesson_picture, random_tree
from scripts.browser.view import game_facts, view
from scripts.browser.watching import replayed, standings
from scripts.drawing.chessmen import CHESSMEN, PLACE
from scripts.jobs.files import FileError
from scripts.report.verdicts import MARKS
from search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scripts.browser.script import Configuration

LONGEST_RECORD = 2_000_000      # characters of a record that is opened
MOST_GAMES = 200                # of a record that are offered


class Interface:
    """The commands over a Configuration (script.py); desks: {page: Desk}."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.desks: dict[str, Desk] = {}
        self.commands = {
            "games": self.games,
            "position": self.position,
            "move": self.move,
            "think": self.think,
            "stop": self.stop,
            "read": self.read,
            "write": self.write,
            "lesson": lesson,
            "lesson_picture": lesson_picture,
            "random_tree": random_tree,
            "replay": self.replay,
        }

    def games(self, body: fields.Body) -> fields.Body:
        """What there is to choose from."""
        return {"games": [game_facts(registry.get(name)) for name in registry.names()],
                "engines": [player["name"] for player in self.configuration.engines],
                "game": self.configuration.game, "marks": MARKS, "examples": EXAMPLES,
                "chessmen": {"place": PLACE, "drawings": CHESSMEN},
                "tournament": self.configuration.tournament is not None}

    def position(self, body: fields.Body) -> fields.Body:
        """Where a game's moves lead."""
        start = fields.start(body)
        return view(start, fields.moves(body, start))

    def move(self, body: fields.Body) -> fields.Body:
        """The move that a person typed."""
        start = fields.start(body)
        position = start.position(fields.moves(body, start))
        found = fields.typed_move(position, fields.text(body, "text", longest=100) or "")
        return {"move": position.move_text(found), "words": move_words(position, found)}

    # ---- engines ---------------------------------------------------------------------

    def think(self, body: fields.Body) -> fields.Body:
        """Let an engine think; it tells by events."""
        desk, start = self._desk(body), fields.start(body)
        moves = fields.moves(body, start)
        if start.position(moves).outcome() is not None:
            raise Wrong("the game is over")
        engine = fields.count(body, "engine", 0, len(self.configuration.engines) - 1, 0) or 0
        ticket = fields.count(body, "ticket", 0, 2**31, 0) or 0
        desk.think(
            self._seat(body),
            Job(ticket, engine, start, moves, _limits(body), _options(body)),
        )
        return {}

    def stop(self, body: fields.Body) -> fields.Body:
        """End an engine's thinking."""
        ticket = fields.count(body, "ticket", 0, 2**31, 0) or 0
        self._desk(body).stop(self._seat(body), ticket, body.get("move") is True)
        return {}

    def _desk(self, body: fields.Body) -> Desk:
        desk = self.desks.get(fields.text(body, "page", longest=100) or "")
        if desk is None:
            raise Wrong("this page gets no events: reload it")
        return desk

    def _seat(self, body: fields.Body) -> str:
        seat = fields.text(body, "seat", longest=100)
        if seat not in SEATS:
            raise Wrong(f"seat must be one of {' '.join(SEATS)}")
        return seat

    # ---- records ---------------------------------------------------------------------

    def read(self, body: fields.Body) -> fields.Body:
        """The games of a text in any of the formats."""
        text = fields.text(body, "text", longest=LONGEST_RECORD) or ""
        named = fields.text(body, "game", "chess", 100) or "chess"
        try:
            games, found = records.open_text(text, named, MOST_GAMES)
            answer: dict[str, Any] = {
                "games": [records.plain_game(record) for record in found],
                "count": games.count(), "problems": list(map(str, games.problems))}
            if games.kind == "json" and text.lstrip().startswith('{"tournament":'):
                answer["tournament"] = standings(parse_results(text.strip()))
        except (RecordError, GameError, FileError) as error:
            raise Wrong(str(error)) from None
        return answer

    def write(self, body: fields.Body) -> fields.Body:
        """A game as a text in the format of its field, or the one that is named."""
        fields.start(body)
        record = records.read_game(body)
        kind = fields.text(body, "format", own_format(record), 10)
        if kind not in WRITTEN:
            raise Wrong(f"format must be one of {' '.join(WRITTEN)}")
        try:
            return {"text": write_record(record, kind), "suffix": SUFFIXES[kind]}
        except (RecordError, GameError) as error:
            raise Wrong(str(error)) from None

    def replay(self, body: fields.Body) -> fields.Body:
        """A game of the tournament that is watched."""
        if self.configuration.tournament is None:
            raise Wrong("no tournament is watched: start scripts/board with --watch FILE")
        return replayed(self.configuration.tournament, fields.text(body, "id", "", 500) or "")


def _limits(body: fields.Body) -> Limits:
    """The Limits of a command; a second where it names none."""
    clocks, increments = _pair(body, "clocks"), _pair(body, "increments")
    limits = Limits(
        depth=fields.count(body, "depth", 1, 1000),
        nodes=fields.count(body, "nodes", 1, 10**12),
        movetime=fields.number(body, "movetime", 0.01, 3600),
        infinite=body.get("infinite") is True,
        clocks=clocks or (None, None),
        increments=increments or (0.0, 0.0),
    )
    if not (limits.depth or limits.nodes or limits.movetime or limits.infinite or clocks):
        limits.movetime = 1.0
    return limits


def _pair(body: fields.Body, name: str) -> tuple[float, float] | None:
    """Two numbers of seconds, or None."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong(f"{name} must be two numbers")
    first, second = (fields.number({name: each}, name, 0, 86_400, 0) or 0.0 for each in value)
    return first, second


def _options(body: fields.Body) -> dict[str, Any]:
    """{name: value} of an engine's options for the strength and the lines that are wanted."""
    skill, elo = fields.count(body, "skill", 0, 20), fields.count(body, "elo", 0, 4000)
    found: dict[str, Any] = {}
    if skill is not None:
        found["Skill Level"] = skill
    if elo is not None:
        found.update({"UCI_LimitStrength": True, "UCI_Elo": elo})
    lines = fields.count(body, "lines", 1, 5)
    if lines is not None:
        found["MultiPV"] = lines
    return found

