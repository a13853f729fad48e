"""SGF (FF[4]): records of games of stones, with all properties of their nodes.

GM[2] is Othello, GM[4] is Gomoku and Renju.  Other games whose moves are placements on a
board are recorded under their names in GN (GoGui writes GM[1] for every game).

Rows count from the top of the picture.  Othello's picture has row 1 at the top in most
programs and at the bottom in GoGui, so we take the orientation in which all moves are legal.
"""

from __future__ import annotations

import re

from games import registry
from games.base import GameError
from games.grid import board_of
from protocol.records.record import (
    MARKS,
    Builder,
    Evaluation,
    Record,
    RecordError,
    Start,
    headers,
    read_seconds,
)
from protocol.records.sgf_board import COLOURS, SETUP, Board, size_of
from protocol.records.sgf_text import Branch, Node, parse, property_text
from protocol.records.sgf_text import split as split
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.base import Game, Position
    from protocol.records.record import Line, Said, Step
    from protocol.records.sgf_text import Properties

# SGF's numbers of games, and the games that they stand for, the default one first.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}
_IDENTIFIED = {"othello", "gomoku", *_RULES}  # by number and rules; other games need GN

# Properties that the model has fields for.
_DERIVED = {"GM", "FF", "CA", "SZ", "PB", "PW", *SETUP, *COLOURS}
_MARKS = {
    "?!": ("DO", ""),
    "?": ("BM", "1"),
    "??": ("BM", "2"),
    "!?": ("IT", ""),
    "!": ("TE", "1"),
    "!!": ("TE", "2"),
}
_CLOCKS = ("BL", "WL")
# Our own properties, which other programs ignore: an evaluation in the form of PGN's [%eval]
# (with a win in N moves and the depth), the seconds of a move, other annotation glyphs.
_OWN = {"EVAL": "eval", "EMT": "emt"}
_OF_MOVES = {"C", "V", "NAG", *_OWN, *_CLOCKS, *(name for name, _ in _MARKS.values())}
_NAME = re.compile(r"[A-Z][A-Z0-9]*")


def has_number(game: Game) -> bool:
    """Does SGF have a number for this game?"""
    return game.name in _NUMBERS


# ---- reading -------------------------------------------------------------------------


def read(
    text: str, game_name: str | None = None, values: Mapping[str, Any] | None = None
) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable.

    game_name: the game, if the record doesn't name it.
    values: values of options that the record doesn't give, by name.
    """
    tree, fault = parse(text)
    nodes = [node for branch in tree.main_branches() for node in branch.nodes]
    if not nodes:
        raise fault or RecordError("the game has no nodes")
    root = nodes[0].properties
    game = registry.get(_game_of(root, game_name))
    options, rows = size_of(root, game, values or {})
    ways = [False]
    if game.rank_one_on_top:
        ways = [True, False] if root.get("GM") == ["2"] else [False, True]
    found: list[Record] = []
    for row_one_on_top in ways:
        board = Board(game, options, rows, row_one_on_top)
        found.append(_Reader(board, tree).read(fault))
        if found[-1].fault is None:
            break
    record = max(found, key=lambda record: (record.fault is None, len(record.line)))
    if root.get("GM", [""])[0].strip() in _GAMES and _game_of(root, None) != game.name:
        for name in ("RU", "GN"):  # the caller's game overrides them
            record.tags.pop(name, None)
    if record.tags.get("RU") == _RULES.get(game.name):
        record.tags.pop("RU", None)
    return record


def _game_of(root: Properties, preferred: str | None) -> str:
    """Return the game's name, or `preferred`; raise RecordError if there is neither."""
    number, rules = (root.get(name, [""])[0].strip().lower() for name in ("GM", "RU"))
    names = _GAMES.get(number)
    if preferred is not None and (names is None or preferred in names):
        return preferred
    title = root.get("GN", [""])[0].strip().lower()
    if title in (names or registry.names()):
        return title
    if names is None:
        raise RecordError(f"unsupported game: GM[{number}] (2 is Othello, 4 is Gomoku)")
    if number == "4" and "renju" in rules:
        return "renju"
    return "gomokufreestyle" if number == "4" and "free" in rules else names[0]


def _read_result(text: str) -> str | None:
    word = text.strip().upper()
    if word in ("0", "DRAW", "JIGO"):
        return "1/2-1/2"
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2])


class _Reader:
    """A reader of a game tree on a Board."""

    def __init__(self, board: Board, tree: Branch) -> None:
        self._board, self._tree = board, tree
        nodes = [node.properties for branch in tree.main_branches() for node in branch.nodes]
        try:
            self.record = Record(board.start(nodes))
        except GameError as error:
            raise RecordError(str(error)) from None
        self._builder = Builder(self.record, board.read)
        self._fault: RecordError | None = None

    def read(self, fault: RecordError | None) -> Record:
        """Return the Record.  fault: the error that ended the parsing of the text, or None."""
        root = self._tree.nodes[0].properties
        moves = any(name in root for name in COLOURS)
        for name, values in root.items():
            if name not in _DERIVED and name != "C" and not (moves and name in _OF_MOVES):
                self._keep_of_start(name, values)
        self.record.players = tuple(root.get(name, [""])[0] for name in ("PB", "PW"))
        self._line(self._tree)
        _settle(self.record.line)
        result = _read_result(self.record.tags.get("RE", ""))
        return self._builder.finish(result, self._fault or fault)

    def _line(self, branch: Branch) -> None:
        """Read a branch and its continuation into the builder's line."""
        builder = self._builder
        pending: list[Line] = []
        for part in branch.main_branches():
            for node in part.nodes:
                count = len(builder.line)
                try:
                    self._node(node, node is self._tree.nodes[0])
                except RecordError as error:
                    error.offset = node.offset
                    self._fault = self._fault or error
                    self._attach(pending, count)
                    return
                pending = self._attach(pending, count)
            for other in part.branches[1:]:
                pending += self._variation(other)
        if pending:  # the main continuation has annotations but no moves
            for step in pending[0]:
                builder.line.append(step)
                builder.position.make(step.move)
            builder.line[-len(pending[0])].variations[:0] = pending[1:]

    def _attach(self, pending: list[Line], count: int) -> list[Line]:
        """Attach variations to step `count` if it was played; return those still pending."""
        line = self._builder.line
        if len(line) == count:
            return pending
        line[count].variations += pending
        return []

    def _variation(self, branch: Branch) -> list[Line]:
        """Return [the line of a branch], or [] if it has no moves."""
        builder = self._builder
        try:
            builder.check_depth()
        except RecordError as error:
            error.offset = branch.nodes[0].offset if branch.nodes else 0
            self._fault = self._fault or error
            return []
        line = builder.begin()
        self._line(branch)
        builder.end()
        return [line] if line else []

    def _node(self, node: Node, is_root: bool) -> None:
        """Play the moves of a node and keep its other properties."""
        builder, properties = self._builder, node.properties
        played = False
        for side, colour in enumerate(COLOURS):
            for text in properties.get(colour, ())[:1]:
                played = True
                if self._board.is_pass(text) and builder.position.outcome() is not None:
                    continue  # passes by which front ends agree that the game is over
                builder.play(text, side)
        if (
            properties.keys() & SETUP
            and (builder.line or builder.depth)
            and not (is_root and len(builder.line) <= 1)
        ):
            raise RecordError("stones are set up in the middle of the game")
        for name, values in properties.items():
            if name not in _DERIVED and (
                not is_root or name == "C" or played and name in _OF_MOVES
            ):
                self._keep(name, values)

    def _keep_of_start(self, name: str, values: list[str]) -> None:
        """Keep a property of the start: as a header if it has one value."""
        tags, said = self.record.tags, self.record.said
        if len(values) == 1 and name not in {**tags, **said}:
            tags[name] = values[0]
        else:
            said.setdefault(name, [tags.pop(name)] if name in tags else []).extend(values)

    def _keep(self, name: str, values: list[str]) -> None:
        """Keep a property of a node at the last step, or at the start."""
        line = self._builder.line
        if name == "C":
            for value in values:
                self._builder.remark(value)
        elif not line and not self._builder.depth:
            self._keep_of_start(name, values)
        else:
            mover = COLOURS[1 - self._builder.position.side]
            name = "clk" if line and name in _CLOCKS and name[0] == mover else name
            self._builder.note(_OWN.get(name, name), values)


def _settle(line: Line) -> None:
    """Convert the marks among the steps' annotations into glyphs."""
    for step in line:
        for name in [name for name in step.said if name in _OF_MOVES]:
            values = step.said[name]
            if _mark(name, values):
                step.nags.append(MARKS.index(_mark(name, values)) + 1)
            elif name == "NAG" and all(re.fullmatch("[0-9]{1,3}", value) for value in values):
                step.nags += map(int, values)
            elif name != "V" or values != _value(step.said.get("eval", [""])[0]):
                continue
            del step.said[name]
        for variation in step.variations:
            _settle(variation)


def _mark(name: str, values: list[str]) -> str:
    """Return the mark that a property stands for, or ""."""
    return next(
        (
            mark
            for mark, (known, value) in _MARKS.items()
            if name == known and (not value or (values[0].strip() or "1") == value)
        ),
        "",
    )


def _value(evaluation: str) -> list[str] | None:
    """Return the values of V for an evaluation, None if it is a mate or unreadable."""
    found = Evaluation.read(evaluation)
    return None if found is None or found.score is None else [f"{found.score / 100:.2f}"]


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record as SGF."""
    board = _board_of(record.start)
    root = "".join(
        property_text(name, [tidy(value) for value in values])
        for name, values in _root(record, board).items()
    )
    body = _text(board, record.start.position(), record.line)
    return f"(;{root}{body})\n"


def _board_of(start: Start) -> Board:
    empty = board_of(Start(start.game, None, start.options).position())
    return Board(start.game, start.options, len(empty), start.game.rank_one_on_top)


def _root(record: Record, board: Board) -> Properties:
    """Return the properties of the root."""
    start, game = record.start, record.start.game
    shown = Start(game, None, start.options).position()
    empty = board_of(shown)
    columns, rows = len(empty[0]), len(empty)
    more = {
        "GM": _NUMBERS.get(game.name, ""),
        "FF": "4",
        "CA": "UTF-8",
        "SZ": str(columns) if columns == rows else f"{columns}:{rows}",
        "RU": _RULES.get(game.name, ""),
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _result_text(record),
    }
    for name, value in headers(record, "sgf").items():
        if _NAME.fullmatch(name) and name not in _DERIVED and name != "C":
            more[name] = value
    if _read_result(more["RE"]) != (record.result if record.result != "*" else None):
        more["RE"] = _result_text(record)
    if game.name not in _IDENTIFIED:
        more["GN"] = game.name
    root = {name: [value] for name, value in more.items() if value or name in record.tags}
    root.update(
        {
            name: values
            for name, values in record.said.items()
            if _NAME.fullmatch(name) and name not in _DERIVED and name != "C"
        }
    )
    if record.comment:
        root["C"] = [record.comment]
    if start.text is not None:
        root.update(_set_up(start.position(), shown, board))
    return root


def _set_up(position: Position, usual: Position, board: Board) -> Properties:
    """Return the properties that set up a position.  usual: the game's own start."""
    found = {"PL": [COLOURS[position.side]]}
    usual_board = board_of(usual)
    for row, cells in enumerate(board_of(position)):
        for column, cell in enumerate(cells):
            if cell in "XO" or usual_board[row][column] != ".":
                name = {"X": "AB", "O": "AW"}.get(cell, "AE")
                found.setdefault(name, []).append(board.point((column, row)))
    return found


def _result_text(record: Record) -> str:
    winner = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if winner is None:
        return "0" if record.result == "1/2-1/2" else ""
    outcome = record.final().outcome()
    return winner + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")


def _text(board: Board, position: Position, line: Line) -> str:
    """Return the nodes of a line and its variations; `position` stays unchanged."""
    pieces: list[str] = []
    closing: list[str] = []  # the ends of the open branches, innermost last
    count = 0
    for step in line:
        if step.variations:
            others = [f"\n({_text(board, position, other)})" for other in step.variations]
            closing.append(")" + "".join(others))
            pieces.append("\n(")
            count = 0
        if step.before:
            pieces.append(";" + property_text("C", [step.before]))
        if not step.implied:
            if count and count % 10 == 0:
                pieces.append("\n")
            count += 1
            pieces.append(_node(board, position, step))
        position.make(step.move)
    for _ in line:
        position.undo()
    return "".join(pieces + closing[::-1])


def _node(board: Board, position: Position, step: Step) -> str:
    node = board.node(position, step.move)
    if step.comment:
        node["C"] = [step.comment]
    for nag in step.nags:
        name, value = "NAG", str(nag)
        if 1 <= nag <= len(MARKS) and _MARKS[MARKS[nag - 1]][0] not in node:
            name, value = _MARKS[MARKS[nag - 1]]
        node.setdefault(name, []).append(value)
    node.update(_said(step.said, COLOURS[position.side]))
    return ";" + "".join(property_text(name, values) for name, values in node.items())


def _said(said: Said, colour: str) -> Properties:
    """Return the other annotations of a step as properties."""
    found: Properties = {}
    marks = {mark for mark, _ in _MARKS.values()}
    for name, values in sorted(said.items(), key=lambda item: item[0] not in marks):
        if name == "eval":
            found["EVAL"] = values
            value = _value(values[0])
            if value is not None and "V" not in said:
                found["V"] = value
        elif name == "clk":
            seconds = [read_seconds(value) for value in values]
            found[colour + "L"] = [
                value if known is None or ":" not in value else f"{known:.3f}"
                for value, known in zip(values, seconds)
            ]
        elif name == "emt":
            found["EMT"] = values
        elif _NAME.fullmatch(name) and name not in _DERIVED and name != "C" and name not in _OWN:
            found[name] = values
    return found
