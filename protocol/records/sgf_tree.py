"""What SGF and GGF share: their board, and the reading and writing of nodes and results."""

from __future__ import annotations

import re
from contextlib import suppress

from games.base import PASSES, GameError, MoveError
from games.grid import board_of, cell_of
from games.options import BOARD_SIZE
from games.texts import Squares, squares_of
from protocol.base import finite_number
from protocol.moves import placement_on
from protocol.moves import read as read_move
from protocol.records.builder import Builder
from protocol.records.record import Format, Record, RecordError, Start, plain_seconds, walk
from protocol.records.sgf_text import COLOURS, properties_text, split
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from games.base import Game, Position
    from games.types import Cell
    from protocol.records.record import Line, Said, Step
    from protocol.records.sgf_text import Node, Properties

SETUP = {"AB", "AW", "AE", "PL"}
_STONES = {"AB": "X", "AW": "O", "AE": "."}
_PLAYERS = {"b": 0, "x": 0, "1": 0, "w": 1, "o": 1, "2": 1}
_POINT = re.compile("[a-z]{2}")
# On boards with fewer rows than this, `tt` is not a point but a pass, as in Go.
_NO_POINT = 20
# Properties that the model has fields for; they aren't annotations of a move.
DERIVED = {"GM", "FF", "CA", "SZ", "PB", "PW", "C", *SETUP, *COLOURS}
_PROPERTIES = {"Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO", "Annotator": "AN"}
# Annotations that SGF has no property for -> properties of our own, which other programs
# ignore: an evaluation that isn't a number (a win in N moves), and the seconds of a move.
_PROPERTIES.update({"eval": "EVAL", "emt": "EMT"})
_SHAPES = {"CR": "csl", "AR": "cal"}  # circles and arrows, in SGF and as in PGN
_NAMES = {own: name for name, own in _PROPERTIES.items()}
# Properties of the annotation glyphs $1 to $6; all other glyphs are in NAG, a property of our own.
_MARKS = {1: "TE1", 2: "BM1", 3: "TE2", 4: "BM2", 5: "IT", 6: "DO"}
_NAGS = {**{f"NAG{nag}": nag for nag in range(1, 1000)}, "TE": 1, "BM": 2}
_NAGS.update((mark, nag) for nag, mark in _MARKS.items())
_RESULTS = {"B+": "1-0", "W+": "0-1", "DRAW": "1/2-1/2", "JIGO": "1/2-1/2"}
_CLOCKS = ("BL", "WL")  # seconds left on each player's clock
_NAME = re.compile(r"[A-Z][A-Z0-9]*")
_POINTS = re.compile(r"([+-]?\d{1,9}(?:\.\d{0,9})?)(?:[,/]\d{1,9})?")


# ---- the board -----------------------------------------------------------------------


def is_recordable(position: Position) -> bool:
    """Can SGF record this game, that is, are its moves placements on a board?"""
    legal = position.legal_moves()
    return position.board() is not None and bool(legal) and position.placement(legal[0]) is not None


def size_of(root: Properties, game: Game) -> tuple[Start, int]:
    """Return (the game's own Start, number of rows that the record's points refer to)."""
    text = root.get("SZ", [""])[0].strip()
    columns, _, rows = text.partition(":")
    options = {}
    if text and BOARD_SIZE in game.options and rows in ("", columns):
        with suppress(ValueError):  # an invalid size, reported below
            options = {BOARD_SIZE.name: BOARD_SIZE.read(columns)}
    start = Start(game, None, options)
    if not is_recordable(start.position()):
        raise RecordError(f"SGF can't record {game.name}")
    board = board_of(start.position())
    # A record may put a rectangular board at the bottom of a square one.
    largest = max(len(board[0]), len(board))
    sizes = {str(largest): largest, f"{largest}:{largest}": largest, "": len(board)}
    sizes[f"{len(board[0])}:{len(board)}"] = len(board)
    if text not in sizes:
        raise RecordError(f"unsupported board size: SZ[{text}]")
    return start, sizes[text]


class Board:
    """The board of a record: its points and passes.

    start: the game's own Start.  rows: number of rows that the record's points refer to.
    row_one_on_top: is row 1 at the top of the record's picture?
    """

    def __init__(self, start: Start, rows: int, row_one_on_top: bool) -> None:
        self._start, self._position = start, start.position()
        self._rows, self._row_one_on_top = rows, row_one_on_top

    def is_pass(self, text: str) -> bool:
        """Does the text of a move mean a pass?"""
        word = text.strip().lower()
        passes = self._start.game.pass_move is not None and word in PASSES
        return passes or not word or word == "tt" and self._rows < _NO_POINT

    def read(self, position: Position, text: str) -> int:
        """Return the legal move of a text; raise MoveError if it isn't one."""
        if self.is_pass(text):
            return read_move(position, "pass")
        return placement_on(position, self._cell(text), text)

    def _cell(self, text: str) -> Cell:
        """Return the cell of a point or square; raise MoveError if it isn't on the board."""
        word, board = text.strip().lower(), board_of(self._position)
        if not _POINT.fullmatch(word):
            return Squares(len(board[0]), len(board)).read(word)
        column, row = ord(word[0]) - ord("a"), self._flipped(ord(word[1]) - ord("a"))
        if not (column < len(board[0]) and 0 <= row < len(board)):
            raise MoveError(text, "is not a point of this board")
        return column, row

    def point(self, cell: Cell) -> str:
        """Return the text of a cell."""
        column, row = cell
        return chr(ord("a") + column) + chr(ord("a") + self._flipped(row))

    def named(self, values: Iterable[str]) -> list[str]:
        """Return points `cd` and pairs `cd:ef` as PGN's circles and arrows: Gc4 and Gc4e6.

        Raise MoveError if a point isn't on the board.
        """
        squares = squares_of(self._position)
        points = ([squares.name(self._cell(each)) for each in value.split(":")] for value in values)
        return [",".join("G" + "".join(names) for names in points)]

    def points(self, texts: Iterable[str]) -> list[str]:
        """Return PGN's circles and arrows as points and pairs of points."""
        squares = squares_of(self._position)
        cells = (squares.cells_in(word.strip()[1:]) for word in ",".join(texts).split(","))
        return [":".join(map(self.point, pair)) for pair in cells if pair]

    def _flipped(self, row: int) -> int:
        """Convert a row counted from the top of the picture into the board's row, or back."""
        return row if self._row_one_on_top else self._rows - 1 - row

    def text(self, position: Position, move: int) -> str:
        """Return the point of a move, "" for a pass."""
        passing = move == position.game.pass_move
        return "" if passing else self.point(cell_of(position, move))

    def start(self, header: Properties) -> Start:
        """Return the Start with the stones that a header sets up.

        PL names the side to move.  Without PL, it is the player who begins the game or, if that
        makes an illegal position, the other player.  Raises GameError if no position is legal.
        """
        if not header.keys() & SETUP:
            return self._start
        board = [list(row) for row in board_of(self._position)]
        for name, mark in _STONES.items():
            for text in header.get(name, []):
                first, _, last = text.partition(":")  # two corners of a rectangle, or a point
                columns, rows = zip(self._cell(first), self._cell(last or first))
                left, right = min(columns), max(columns) + 1
                for row in range(min(rows), max(rows) + 1):
                    board[row][left:right] = [mark] * (right - left)
        colour = header.get("PL", [COLOURS[self._position.side]])[-1]
        side = _PLAYERS.get(colour.strip().lower()[:1])
        if side is None:
            raise RecordError(f"PL[{colour}] must be B or W")
        texts = list(map("".join, board))
        if "PL" not in header:
            with suppress(GameError):
                return self._start.arranged(texts, side)
            side = 1 - side
        return self._start.arranged(texts, side)


# ---- reading -------------------------------------------------------------------------


def header_of(nodes: Iterable[Node]) -> Properties:
    """Return the properties of the root and of the nodes before the first move.

    If stones are set up without PL (the side to move), PL becomes the player of the first move.
    """
    header: Properties = {}
    for node in nodes:
        colours = [colour for colour in COLOURS if colour in node.properties]
        if colours and header.keys() & SETUP:
            header.setdefault("PL", colours)
        if colours and header:
            break
        for name, values in node.properties.items():
            header.setdefault(name, []).extend(values)
    return header


class TreeFormat(Format):
    """The base of SGF and GGF.

    own(record): returns {name: value} of the root's properties that follow from the game.  The
    value "" means that the property isn't needed.  A header that only repeats one of these
    properties isn't kept.
    derived: properties that are neither headers nor annotations.
    results: {result: its text}.  What follows the text of a win is `margin`, with the number of
    points, if the rules give one; else it depends on the Termination in lower case: `ends`, where
    the key "" is for all other Terminations.
    """

    between = True
    own: Callable[[Record], dict[str, str]]
    derived: Collection[str] = DERIVED
    results: Mapping[str, str]
    ends: Mapping[str, str]
    margin: str

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        return split(text)

    def root(self, board: Board, record: Record, dropped: Collection[str]) -> Properties:
        """Return the properties of a game without those that set it up.

        A header or annotation of the record replaces the property of its name in own(), unless the
        name is in `dropped`.  Only a text that means the record's result replaces RE.
        """
        root = {name: [value] for name, value in self.own(record).items()}
        root.update(zip(("PB", "PW"), ([name] for name in record.players)))
        others: Properties = {}
        for name in {**record.tags, **record.said}:
            others.setdefault(_PROPERTIES.get(name, name), []).extend(record.values(name))
        for name, values in sorted(others.items(), key=lambda item: len(item[1]) > 1):
            fits = name not in dropped and (name != "RE" or _stated(values) == record.result)
            if fits and _NAME.fullmatch(name) and any(map(str.strip, values)):
                root[name] = values
        root["C"] = [record.comment]
        root.update(_shapes(board, record.said))
        return {name: values for name, values in root.items() if values != [""]}

    def result_text(self, record: Record) -> str:
        """Return the text of a result, with the margin if the rules give one."""
        outcome = record.final().outcome()
        text = self.results.get(record.result, "" if outcome is None else "?")
        end = self.ends.get(record.tags.get("Termination", "").lower(), self.ends[""])
        if outcome is not None and outcome.margin and result_of(outcome.winner) == record.result:
            end = self.margin.format(abs(outcome.margin))
        return text + end if record.result in ("1-0", "0-1") else text


class Reader:
    """A reader of a game on a Board.

    header: see header_of().
    """

    def __init__(self, board: Board, start: Start, header: Properties) -> None:
        self._board = board
        players = [header.get(name, [""])[0] for name in ("PB", "PW")]
        self.record = Record(start, (), players)
        self._builder = Builder(self.record, board.read)
        self._swapped = False  # has `swap` exchanged the players' colours?

    def read(self, nodes: Iterable[Node], form: TreeFormat, dropped: Collection[str]) -> Record:
        """Return the Record of nodes, without the headers that `form` writes by itself.

        dropped: other properties before the first move that aren't kept as headers.
        """
        record, self._dropped = self.record, dropped
        self._builder.read(nodes, self._take, lambda node: (node.mark, node.offset))
        self._builder.finish(_stated(record.values("RE")))
        own = form.own(record)
        record.tags = {name: text for name, text in record.tags.items() if own.get(name) != text}
        return record

    def _take(self, node: Node) -> None:
        if node.mark == "(":
            self._builder.open(0)
        elif node.mark == ")":
            self._builder.close()
        elif node.mark == "]":
            self.record.warn('unexpected "]": no value is open', node.offset)
        elif node.mark == ";":
            self._play(node.properties)
            self._keep(node.properties)
        else:
            raise RecordError(node.mark)

    def _play(self, properties: Properties) -> None:
        """Play the moves of a node."""
        builder = self._builder
        for side, colour in enumerate(COLOURS):
            for text in properties.get(colour, ()):
                word = text.strip().lower()
                if word in ("swap", "resign"):
                    self._say(colour, word)
                # front ends write passes after the end of a game
                elif builder.position.outcome() is None or not self._board.is_pass(text):
                    builder.play(text, side ^ self._swapped)

    def _say(self, colour: str, word: str) -> None:
        """Keep a `swap` or `resign` of LittleGolem, which writes them as moves."""
        self._builder.note(word.upper(), [colour])
        if word == "swap":
            self._swapped = not self._swapped
            self.record.players = self.record.players[::-1]
        elif not self.record.values("RE"):
            self.record.tags["RE"] = f"{COLOURS[1 - COLOURS.index(colour) ^ self._swapped]}+R"

    def _keep(self, properties: Properties) -> None:
        """Store the properties of a node except moves and blank headers."""
        builder, properties = self._builder, dict(properties)
        for own, name in _SHAPES.items():
            with suppress(KeyError, MoveError):  # what isn't a point of the board stays as it is
                properties[name] = self._board.named(properties[own])
                del properties[own]
        if self.record.line and properties.keys() & SETUP:
            raise RecordError("stones set up in the middle of the game are not supported")
        for comment in properties.get("C", ()):
            builder.remark(comment)
        if not self.record.line:
            for name, values in properties.items():
                if name in _SHAPES.values():
                    self.record.said[name] = values
                elif name not in self._dropped and any(map(str.strip, values)):
                    self.record.keep(_NAMES.get(name, name), values)
            return
        kept = {name: values for name, values in properties.items() if name not in DERIVED}
        nags, said = _settled(kept, builder.position.side ^ (not builder.varies))
        for nag in nags:
            builder.nag(nag)
        for name, values in said.items():
            builder.note(name, values)


def _stated(values: list[str]) -> str | None:
    """Return the result in the first value of RE that isn't blank; None if all are blank.

    It is B+ or W+ in SGF, and Black's lead in discs in GGF, `-3.00:t`.
    """
    text = next((value.strip().upper() for value in values if value.strip()), None)
    if text is None:
        return None
    lead = finite_number(text.split(":")[0])
    if lead is None:
        return _RESULTS.get(text, _RESULTS.get(text[:2], "*"))
    return result_of(int(lead < 0) if lead else None)


def _settled(said: Said, side: int) -> tuple[list[int], Said]:
    """Return (annotation glyphs, other annotations named as in a Step) of a move of `side`.

    Evaluations lose their depth, and times become plain seconds, as SGF stores them.
    """
    names = {**_NAMES, "V": "eval", _CLOCKS[side]: "clk"}
    nags: list[int] = []
    named: Said = {}
    for name, values in said.items():
        known = names.get(name, name)
        for value in values:
            nag = _NAGS.get(name + value.strip())
            if nag is not None:
                nags.append(nag)
                continue
            points = _POINTS.fullmatch(value.strip()) if known == "eval" else None
            value = plain_seconds(value) if known in ("clk", "emt") else value
            named.setdefault(known, []).append(points[1] if points else value)
    return nags, named


# ---- writing -------------------------------------------------------------------------


def node_of(board: Board, position: Position, step: Step) -> Properties:
    """Return the properties of a move.  position: the position before the move."""
    side = position.side
    node = {COLOURS[side]: [board.text(position, step.move)]}
    if step.comment:
        node["C"] = [step.comment]
    more, said = _settled(step.said, side)
    for nag in step.nags + more:
        name, value = _MARKS.get(nag, "")[:2], _MARKS.get(nag, "")[2:]
        if not name or name in node or "NAG" in node:  # so that the glyphs keep their order
            name, value = "NAG", str(nag)
        node.setdefault(name, []).append(value)
    node.update(_shapes(board, said))
    own = {**_PROPERTIES, "clk": _CLOCKS[side]}
    for name, values in said.items():
        is_number = name == "eval" and all(map(_POINTS.fullmatch, values))
        name = "V" if is_number else own.get(name, name)
        if _NAME.fullmatch(name) and name not in DERIVED:
            node.setdefault(name, []).extend(values)
    return node


def _shapes(board: Board, said: Said) -> Properties:
    """Return the properties of circles and arrows."""
    shapes = {own: board.points(said.get(name, ())) for own, name in _SHAPES.items()}
    return {own: points for own, points in shapes.items() if points}


def line_text(board: Board, position: Position, line: Line) -> str:
    """Return the nodes of a line and its variations; `position` stays unchanged."""
    pieces: list[str] = []
    closing: list[str] = []  # the ends of the open branches, innermost last
    for _, step in walk(position, line):
        if step.variations:
            others = (_branch(board, position, other) for other in step.variations)
            closing.append(")" + "".join(others))
            pieces.append("\n(")
        if step.before:
            pieces.append(";" + properties_text({"C": [step.before]}))
        pieces.append(";" + properties_text(node_of(board, position, step)))
    return "".join(pieces + closing[::-1])


def _branch(board: Board, position: Position, line: Line) -> str:
    """Return the text of a variation, followed by the alternatives to its first move."""
    text = line_text(board, position, line)
    return text if line[0].variations else f"\n({text})"
