"""What a page may ask for: one table of commands, JSON in and JSON out.

POST api/NAME with a JSON object; the answer is one too: {"error": "in words"} where the command is
wrong.  `game ...` stands for game (its name), options (of the game), start (a position's text, or
null), moves (texts).

games       -> {games: [facts], engines: [names], game, marks, examples, chessmen, tournament}
position    game ... -> the view (view.py): where the moves lead
arrange     game, options, rows, side, rights -> {text, wrong}: what a board editor has set up;
            wrong: why it can't be played
move        game ..., text -> {move, words}: a typed move, in any notation
think       game ..., page, seat, ticket, engine, [movetime, depth, nodes, infinite, clocks,
            increments], [skill | elo], [lines], [vary] -> {}: the answers come as events (desk.py);
            vary: moves that are about as good as the best may be played
review      game ..., page, ticket, engine, movetime -> {}: the whole game is analysed (review.py)
stop        page, seat, ticket, [move] -> {}; move: play what was found
decode      data -> {text}: of a file, in base64, whatever its encoding
read        text, [game], [at] -> {games: [game, options, start, line, comment, players, result,
            said, tags], titles, count, problems, [tournament]}: PGN, SGF, GGF, JSON lines, EPD,
            moves, or a position; at: which of its games, from 0; titles: of the first 200; count:
            of them all; problems: in words; a tournament's table (watching.py)
line        game ... -> the game of these moves, as read tells it
report      games (as the page holds them) -> {text}: one HTML page that shows them (embed.py)
write       game, options, start, line, comment, said, players, result, tags, [format]
            -> {text, suffix}; lines: see records.py
lesson      tree | game ..., depth; algorithm -> nodes and steps: a search, visit by visit
            (lesson.py)
lesson_picture  as lesson, and step, windows, boards, animated -> {text}: as SVG
random_tree seed, difficulty -> {tree}
replay      id -> the game, as read tells it, of the tournament that is watched
"""

from __future__ import annotations

import base64
from typing import Any

from games import registry
from games.base import GameError
from protocol.records.formats import (
    SUFFIXES,
    WRITTEN,
    Collection,
    guess,
    own_format,
    write_record,
)
from protocol.records.record import Record, RecordError
from protocol.records.san import move_words
from protocol.records.text import decode
from scripts.arena.record import parse_results
from scripts.browser.desk import SEATS, Desk, Job
from scripts.browser.lesson import EXAMPLES, lesson, lesson_picture, random_tree
from scripts.browser.watching import replayed, standings
from scripts.drawing.chessmen import CHESSMEN, PLACE
from scripts.jobs.files import FileError
from scripts.pages import embed, fields, records
from scripts.pages.fields import Wrong
from scripts.pages.notes import MARKS
from scripts.pages.view import game_facts, view
from search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scripts.browser.script import Configuration

LONGEST_RECORD = 6_000_000  # characters of a record that is opened
VARIED = 4  # lines of an engine that varies its moves
MOST_GAMES = 200  # of a record whose titles are told


class Opened:
    """The latest text that was opened, and its first games: a file of many is read once."""

    def __init__(self) -> None:
        self._key: tuple[str, str] | None = None
        self._found: tuple[Collection, list[Record]] | None = None

    def read(self, text: str, named: str) -> tuple[Collection, list[Record]]:
        """What open_text says of a text."""
        if self._key != (text, named) or self._found is None:
            self._found = records.open_text(text, named, MOST_GAMES)
            self._key = text, named
        return self._found


class Interface:
    """The commands over a Configuration (script.py); desks: {page: Desk}."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.desks: dict[str, Desk] = {}
        self._opened = Opened()
        self.commands = {
            "games": self.games,
            "position": self.position,
            "move": self.move,
            "arrange": self.arrange,
            "review": self.review,
            "think": self.think,
            "stop": self.stop,
            "decode": self.decode,
            "read": self.read,
            "line": self.line,
            "write": self.write,
            "report": self.report,
            "lesson": lesson,
            "lesson_picture": lesson_picture,
            "random_tree": random_tree,
            "replay": self.replay,
        }

    def games(self, body: fields.Body) -> fields.Body:
        """What there is to choose from."""
        return {
            "games": [game_facts(registry.get(name)) for name in registry.names()],
            "engines": [player["name"] for player in self.configuration.engines],
            "game": self.configuration.game,
            "asked": self.configuration.asked,
            "marks": MARKS,
            "examples": EXAMPLES,
            "chessmen": {"place": PLACE, "drawings": CHESSMEN},
            "tournament": self.configuration.tournament is not None,
        }

    def position(self, body: fields.Body) -> fields.Body:
        """Where a game's moves lead."""
        return view(fields.line(body))

    def move(self, body: fields.Body) -> fields.Body:
        """The move that a person typed."""
        position = fields.line(body).position
        found = fields.typed_move(position, fields.text(body, "text", longest=100) or "")
        return {"move": position.move_text(found), "words": move_words(position, found)}

    def arrange(self, body: fields.Body) -> fields.Body:
        """The text of a board that was set up, and what is wrong with it."""
        game, side = fields.game(body), fields.count(body, "side", 0, 1, 0) or 0
        text = game.arrange(fields.rows(body), side, fields.text(body, "rights", "", 10) or "")
        try:
            line = fields.line({**body, "start": text, "moves": []})
        except Wrong as error:
            return {"text": text, "wrong": str(error)}
        return {"text": line.position.text(), "wrong": ""}

    # ---- engines ---------------------------------------------------------------------

    def think(self, body: fields.Body) -> fields.Body:
        """Let an engine think; it tells by events."""
        job = self._job(body, _limits(body))
        if job.line.position.outcome() is not None:
            raise Wrong("the game is over")
        job.vary = body.get("vary") is True
        self._desk(body).think(self._seat(body), job)
        return {}

    def review(self, body: fields.Body) -> fields.Body:
        """Have a whole game analysed; that is told by events."""
        seconds = fields.number(body, "movetime", 0.05, 60, 0.5)
        job = self._job(body, Limits(movetime=seconds))
        if not job.line.moves:
            raise Wrong("there are no moves to analyse")
        job.whole = True
        self._desk(body).think("review", job)
        return {}

    def _job(self, body: fields.Body, limits: Limits) -> Job:
        engine = fields.count(body, "engine", 0, len(self.configuration.engines) - 1, 0) or 0
        ticket = fields.count(body, "ticket", 0, 2**31, 0) or 0
        return Job(ticket, engine, fields.line(body), limits, _options(body))

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

    def decode(self, body: fields.Body) -> fields.Body:
        """The text of a file."""
        data = fields.text(body, "data", longest=2 * LONGEST_RECORD) or ""
        try:
            return {"text": decode(base64.b64decode(data, validate=True))}
        except ValueError:
            raise Wrong("data must be a file in base64") from None

    def read(self, body: fields.Body) -> fields.Body:
        """The games of a text in any of the formats, or a position of a game."""
        text = fields.text(body, "text", longest=LONGEST_RECORD) or ""
        named = fields.text(body, "game", "chess", 100) or "chess"
        no_position = ""
        if guess(text) == "moves":
            try:
                return _as_position(text.strip(), named)
            except Wrong as error:
                no_position = f"; nor is it a position: {error}"
        try:
            games, found = self._opened.read(text, named)
            at = fields.count(body, "at", 0, 10**6, 0) or 0
            record = found[at] if found[at:] else games.game(at + 1)
            if record is None:
                raise Wrong(games.reason())
            answer: dict[str, Any] = {
                "games": [records.plain_game(record)],
                "titles": list(map(_title, found)),
                "count": games.count(),
                "problems": list(map(str, games.problems)),
            }
            if games.kind == "json" and text.lstrip().startswith('{"tournament":'):
                answer["tournament"] = standings(parse_results(text.strip()))
        except (RecordError, GameError, FileError, Wrong) as error:
            raise Wrong(f"{error}{no_position}") from None
        return answer

    def line(self, body: fields.Body) -> fields.Body:
        """The moves of a link, as the page holds them."""
        line = fields.line(body)
        return records.plain_game(Record(line.start, line.moves))

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

    def report(self, body: fields.Body) -> fields.Body:
        """Games as one HTML page that needs nothing else."""
        games = body.get("games")
        if not isinstance(games, list) or not 0 < len(games) <= MOST_GAMES:
            raise Wrong(f"games must be a list of 1 to {MOST_GAMES} games")
        for each in games:
            if not isinstance(each, dict):
                raise Wrong("a game must be an object")
            records.read_game(each)
        return {"text": embed.page(games)}

    def replay(self, body: fields.Body) -> fields.Body:
        """A game of the tournament that is watched."""
        if self.configuration.tournament is None:
            raise Wrong("no tournament is watched: start scripts/board with --watch FILE")
        return replayed(self.configuration.tournament, fields.text(body, "id", "", 500) or "")


def _as_position(text: str, name: str) -> fields.Body:
    """Return the game that begins with the position that a text is; raise Wrong if it is none."""
    if not text:
        raise Wrong("there is no text")
    line = fields.line({"game": name, "start": text})
    game = records.plain_game(Record(line.start))
    return {"games": [game], "titles": ["a position"], "count": 1, "problems": []}


def _title(record: Record) -> str:
    players = " – ".join(name or "?" for name in record.players)
    return f"{players} {record.result}"


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
    lines = fields.count(body, "lines", 1, 5, VARIED if body.get("vary") is True else 1)
    found: dict[str, Any] = {"MultiPV": lines}
    if skill is not None:
        found["Skill Level"] = skill
    if elo is not None:
        found.update({"UCI_LimitStrength": True, "UCI_Elo": elo})
    return found
