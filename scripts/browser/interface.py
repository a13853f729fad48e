"""The commands of the page: JSON in, JSON out.

POST a JSON object to api/NAME; the answer is a JSON object, {"error": reason} if the command is
invalid.  `game ...` stands for game (its name), options (of the game), start (a position's text or
null) and moves (texts).

games       -> {the fields of catalogue() in view.py, engines: [names], game, asked: was the game
            named on the command line?, examples, lessons, tournament: is a record watched?}
position    game ... -> the view (view.py) of the position after the moves
arrange     game, options, rows, side, rights -> {text, wrong}: the position text of the editor's
            board; wrong: why the position is invalid, "" if it is valid
move        game ..., text -> {move, words}: a typed move, in any notation
think       game ..., page, role, ticket, engine, [movetime, depth, nodes, first, second,
            increment], [skill], [lines], [vary], [whole], [threads, hash] -> {}: start a search,
            which answers by events (page_engines.py) and, without limits, goes on until it is
            stopped; first, second: the players' clocks; vary: allow moves of the lines that are
            about as good as the best; whole: analyse the whole game (review.py), with the limits
            for each position; ticket: a number, higher than the numbers of all earlier searches
stop        page, role, ticket, [move] -> {}: stop the search with this ticket, even if `think`
            arrives after `stop`; move: send the best move so far as the search's answer
upload      file (a name), at, data, [last], [game] -> {}: bytes (base64) of a record or a position
            in any format and encoding, from the index `at` on; last: the file is whole; game: the
            game to read, unless the file names one
read        file, [at] -> {game: {game, options, start, line, comment, players, result, said,
            tags}, at, problems}: a game of a file; at: its index, from 0, by default that of the
            first readable game; problems: messages;
            or {forgotten: true} if no such file was uploaded recently
titles      file, begin -> {titles, share}: titles of the file's games from this index on, as far
            as they are found in SLICE seconds; share: the part read, 1 at the end
line        game ... -> the game of these moves, as the `game` of `read`
write       game, options, start, line, comment, said, players, result, tags, [format]
            -> {text, suffix}; line, comment and said are as in records.py; the format html is a
            page that shows the game (embed.py)
lesson      tree | game ..., depth; algorithm -> a search's picture and steps (lesson.py)
random_tree seed, children, plies -> {tree}
worksheet   tree | game ..., depth; title -> {text: HTML, warning: why it is illegible, or ""}
replay      id -> a game of the watched tournament, as the `game` of `read`
"""

from __future__ import annotations

import base64
import functools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games import registry
from games.base import GameError
from games.registry import UnknownGame
from protocol.moves import read_any_move
from protocol.records.formats import SUFFIXES, WRITTEN, write_record, writing_format
from protocol.records.lists import read_position
from protocol.records.record import RecordError
from scripts.arena.engines import Participant
from scripts.browser.lesson import EXAMPLES, LESSONS, lesson, random_tree, worksheet
from scripts.browser.page_engines import ROLES, PageEngines, Search
from scripts.browser.watching import replayed
from scripts.command_line import translated
from scripts.drawing.figure import FigureError
from scripts.jobs.files import FileError
from scripts.pages import embed, fields, records
from scripts.pages.fields import Wrong
from scripts.pages.notes import named
from scripts.pages.records import OpenFile
from scripts.pages.view import GameLine, catalogue, view
from search.levels import STRONGEST, WEAKEST
from search.limits import Limits

# The commands that are methods of Interface.
_COMMANDS = "games position move arrange think stop upload read titles line write replay"
# Maximum number of bytes of an uploaded file, and of characters of a piece of it.
LONGEST_FILE = 50_000_000
LONGEST_PIECE = 6_000_000
# Longest time on a clock, in seconds.
LONGEST_CLOCK = 86_400
# The answer about a file that was not uploaded recently.
FORGOTTEN = {"forgotten": True}
# Maximum seconds to collect a record's titles before they are sent.
SLICE = 0.3
# A browser opens at most six connections to a server.  Each page needs one for its events, and one
# must be left for commands.
MAX_PAGES = 5
# Maximum seconds to wait until the server notices that a page was closed.
PATIENCE = 2.0
# The format of a page that holds the game (embed.py).
PAGE = "html"
# The engine's options that a search sets: {name: (field of the command, lowest, highest value)}.
OPTIONS = {
    "MultiPV": ("lines", 1, 5),
    "Skill Level": ("skill", WEAKEST, STRONGEST),
    "Threads": ("threads", 1, 64),
    "Hash": ("hash", 1, 4096),
}


@dataclass
class PageSettings:
    """The settings that pages show, with their defaults.

    game: the game that a page shows first; None: its latest saved game, or chess if it has none.
    engines: descriptions by read_player, Plyglot first.
    tournament: the path of the record to watch, or None.
    """

    game: str | None = None
    engines: Sequence[Participant] = ({"name": "Plyglot", "command": None, "protocol": "uci"},)
    tournament: str | None = None


class Interface:
    """The commands and events of pages, for any transport.

    commands: {name: function of a command's JSON}.
    """

    def __init__(self, settings: PageSettings) -> None:
        self._settings, self._left = settings, threading.Condition()
        self._pages: dict[str, PageEngines] = {}
        self._files: dict[str, bytes | OpenFile] = {}  # name -> the bytes so far, or the open file
        self.commands: dict[str, Callable[[fields.Body], fields.Body]] = {
            **{name: getattr(self, name) for name in _COMMANDS.split()},
            **{command.__name__: command for command in (lesson, random_tree, worksheet)},
        }

    def answer(self, command: str, body: fields.Body) -> fields.Body:
        """Carry out a command; return its answer, or {"error": reason} if the command fails."""
        try:
            return self.commands[command](body)
        except (Wrong, FigureError, FileError, GameError, RecordError, UnknownGame) as error:
            return {"error": str(error)}

    # ---- pages -----------------------------------------------------------------------

    def open(self, page: str) -> PageEngines:
        """Register a page and return its engines, which send it events.

        Raise Wrong if too many pages are open.
        """
        with self._left:
            pages = self._pages
            if not self._left.wait_for(lambda: page in pages or len(pages) < MAX_PAGES, PATIENCE):
                raise Wrong(f"{MAX_PAGES} pages are open already: close one, then reload this one")
            former = pages.get(page)
            own = PageEngines(self._settings.engines, self._settings.tournament)
            self._pages[page] = own
        own.send({"type": "hello"})
        if former is not None:
            former.close()
        return own

    def leave(self, page: str, engines: PageEngines) -> None:
        """Close the engines of a page that was closed."""
        engines.close()
        with self._left:
            if self._pages.get(page) is engines:
                del self._pages[page]
                self._left.notify()

    def close(self) -> None:
        """Close the engines of all pages."""
        for page, engines in list(self._pages.items()):
            self.leave(page, engines)

    # ---- positions -------------------------------------------------------------------

    def games(self, body: fields.Body) -> fields.Body:
        """Return the games, engines and examples to choose from."""
        return {
            **catalogue(map(registry.get, registry.names())),
            "engines": [player["name"] for player in self._settings.engines],
            "game": self._settings.game or "chess",
            "asked": self._settings.game is not None,
            "examples": EXAMPLES,
            "lessons": LESSONS,
            "tournament": self._settings.tournament is not None,
        }

    def position(self, body: fields.Body) -> fields.Body:
        """Return the view of the position after a game's moves."""
        record = fields.record(body)
        return view(GameLine(record.start, record.moves))

    def move(self, body: fields.Body) -> fields.Body:
        """Return the legal move that the user typed."""
        position, typed = fields.record(body).final(), fields.text(body, "text", longest=100)
        with translated(Wrong, GameError, before="not a move: "):
            return {**named(position, read_any_move(position, typed, typed=True))}

    def arrange(self, body: fields.Body) -> fields.Body:
        """Return {text: the editor's board as text, wrong: why it is invalid, or ""}."""
        usual = fields.record({**body, "start": None}).start
        rights, hands = (fields.text(body, name, "", 100) for name in ("rights", "hands"))
        side = fields.count(body, "side", 0, 1) or 0
        text = usual.game.arrange(fields.rows(body), side, rights, hands)
        try:
            return {"text": read_position(usual, text).text, "wrong": ""}
        except GameError as error:
            return {"text": text, "wrong": str(error)}

    # ---- engines ---------------------------------------------------------------------

    def think(self, body: fields.Body) -> fields.Body:
        """Start a search or an analysis; its results are sent as events."""
        engines, role = self._engines(body)
        search = Search(
            engines.send,
            role,
            ticket=_index(body, "ticket"),
            engine=fields.count(body, "engine", 0, len(self._settings.engines) - 1) or 0,
            record=fields.record(body),
            limits=_limits(body),
            options={name: fields.count(body, *bounds) for name, bounds in OPTIONS.items()},
            vary=body.get("vary") is True,
            whole=body.get("whole") is True,
        )
        if search.whole and not search.record.moves:
            raise Wrong("there are no moves to analyse")
        if not search.whole and search.position.outcome() is not None:
            raise Wrong("the game is over")
        engines.by_role[role].ask(search)
        return {}

    def stop(self, body: fields.Body) -> fields.Body:
        """Stop a search."""
        engines, role = self._engines(body)
        engines.by_role[role].stop(_index(body, "ticket"), body.get("move") is True)
        return {}

    def _engines(self, body: fields.Body) -> tuple[PageEngines, str]:
        """Return (engines of the command's page, role of the engine that the command is for)."""
        engines = self._pages.get(fields.text(body, "page", longest=100))
        role = fields.text(body, "role", longest=100)
        if engines is None:
            raise Wrong("this page has no connection for events: reload it")
        if role not in ROLES:
            raise Wrong(f"role must be one of {' '.join(ROLES)}")
        return engines, role

    # ---- records ---------------------------------------------------------------------

    def upload(self, body: fields.Body) -> fields.Body:
        """Store the next piece of an uploaded file; open the file when it is complete."""
        name, at = fields.text(body, "file", longest=100), _index(body, "at")
        held = self._files.pop(name, b"")
        known = held if isinstance(held, bytes) else b""
        text = fields.text(body, "data", longest=LONGEST_PIECE)
        with translated(Wrong, ValueError, before="data must be bytes in base64: "):
            data = base64.b64decode(text, validate=True)
        if at > len(known) or at + len(data) > LONGEST_FILE:
            raise Wrong(f"a file's pieces must come in order, at most {LONGEST_FILE} bytes in all")
        whole = known[:at] + data
        game = fields.text(body, "game", "chess", 100)
        self._files[name] = OpenFile(whole, game) if body.get("last") is True else whole
        for oldest in list(self._files)[:-MAX_PAGES]:
            del self._files[oldest]
        return {}

    def read(self, body: fields.Body) -> fields.Body:
        """Read a record or a position; return one of its games."""
        opened, at = self._opened(body), fields.count(body, "at", 0, 2**31)
        return opened.read(at) if opened else FORGOTTEN

    def titles(self, body: fields.Body) -> fields.Body:
        """Return more titles of a record."""
        opened = self._opened(body)
        return opened.titles(_index(body, "begin"), SLICE) if opened else FORGOTTEN

    def _opened(self, body: fields.Body) -> OpenFile | None:
        """Return a command's file, or None if it was not uploaded recently."""
        file = self._files.get(fields.text(body, "file", longest=100))
        return file if isinstance(file, OpenFile) else None

    def line(self, body: fields.Body) -> fields.Body:
        """Return the game that a link describes, as the page holds it."""
        return records.plain_game(fields.record(body))

    def write(self, body: fields.Body) -> fields.Body:
        """Return a game as text, in the given format, by default the game's usual format."""
        record = fields.record(body)
        kind = fields.text(body, "format", writing_format(record).name, 10)
        if kind == PAGE:
            game = {name: part for name, part in body.items() if name not in ("format", "page")}
            return {"text": embed.page([game]), "suffix": f".{PAGE}"}
        if kind not in WRITTEN:
            raise Wrong(f"format must be one of {' '.join((*WRITTEN, PAGE))}")
        records.add_opening(record)
        return {"text": write_record(record, kind), "suffix": SUFFIXES[kind]}

    def replay(self, body: fields.Body) -> fields.Body:
        """Return a game of the watched tournament, found by its id."""
        if self._settings.tournament is None:
            raise Wrong("no tournament to watch: start scripts/board with --watch FILE")
        return replayed(self._settings.tournament, fields.text(body, "id", "", 500))


def _index(body: fields.Body, name: str) -> int:
    return fields.count(body, name, 0, 2**31) or 0


def _limits(body: fields.Body) -> Limits:
    """Return a command's Limits; if it sets none, the search goes on until it is stopped."""
    seconds = functools.partial(fields.number, body, low=0, high=LONGEST_CLOCK)
    increment = seconds("increment") or 0.0
    limits = Limits(
        depth=fields.count(body, "depth", 1, 1000),
        nodes=fields.count(body, "nodes", 1, 10**12),
        movetime=fields.number(body, "movetime", 0.01, 3600),
        clocks=(seconds("first"), seconds("second")),
        increments=(increment, increment),
    )
    limits.infinite = not limits.bounded()
    return limits
