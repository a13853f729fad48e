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
from protocol.records.builder import Builder
from protocol.records.record import (
    Evaluation,
    Record,
    RecordError,
    Start,
    name_headers,
    plain_seconds,
    walk,
)
from protocol.records.sgf_board import COLOURS, SETUP, Board, size_of
from protocol.records.sgf_text import (
    OWN,
    is_name,
    own_property,
    parse,
    property_text,
    root_text,
    take_result,
    values_of,
)
from protocol.records.sgf_text import split as split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.base import Game, Position
    from protocol.records.record import Line, Said, Step
    from protocol.records.sgf_text import Branch, Properties

# SGF's numbers of games, and the games that they stand for, the default one first.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}
_IDENTIFIED = {"othello", "gomoku", *_RULES}  # by number and rules; other games need GN

# Properties that the model has fields for.
_DERIVED = {"GM", "FF", "CA", "SZ", "PB", "PW", *SETUP, *COLOURS}
# Properties of the annotation glyphs $1 to $6; all others are in NAG, a property of our own.
_MARKS = {
    1: ("TE", "1"),
    2: ("BM", "1"),
    3: ("TE", "2"),
    4: ("BM", "2"),
    5: ("IT", ""),
    6: ("DO", ""),
}
_NAGS = {mark: nag for nag, mark in _MARKS.items()}
_CLOCKS = ("BL", "WL")  # of each player
_OF_MOVES = {"C", "V", "NAG", *OWN, *_CLOCKS, *(name for name, _ in _NAGS)}
_NOT_KEPT = {"C", "CA", *SETUP, *COLOURS}  # of moves
_NAG = re.compile("0*[1-9][0-9]{0,2}")


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
    nodes = [node for branch in tree.main_branches() for node, _ in branch.nodes]
    if not nodes:
        raise fault or RecordError("the game has no nodes")
    root = nodes[0]
    game = registry.get(_game_of(root, game_name))
    options, rows = size_of(root, game, values or {})
    ways = [True, False] if root.get("GM") == ["2"] else [False, True]
    found: list[Record] = []
    for row_one_on_top in ways if game.rank_one_on_top else [False]:
        board = Board(game, options, rows, row_one_on_top)
        found.append(_Reader(board, tree, nodes).read(fault))
        if found[-1].fault is None:
            break
    record = max(found, key=lambda record: (record.fault is None, len(record.line)))
    for name in _unfit(record):  # the caller's game overrides them
        record.tags.pop(name, None)
        record.said.pop(name, None)
    for name, value in _identity(game).items():
        if value and record.tags.get(name) == value:
            record.tags.pop(name)
    record.tags = name_headers(record.tags, "sgf")
    return record


def _unfit(record: Record) -> tuple[str, ...]:
    """Return the headers that name the game if they name a different one than the record's."""
    game = record.start.game
    root = {name: [value] for name, value in _identity(game).items()}
    for name in ("RU", "GN"):
        root[name] = values_of(record, name) or root[name]
    try:
        return () if _game_of(root, None) == game.name else ("RU", "GN")
    except RecordError:
        return ("RU", "GN")


def _identity(game: Game) -> dict[str, str]:
    """Return the properties that identify a game, "" for those that aren't needed."""
    title = "" if game.name in _IDENTIFIED else game.name
    return {"GM": _NUMBERS.get(game.name, ""), "RU": _RULES.get(game.name, ""), "GN": title}


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
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2], "*") if word else None


class _Reader:
    """A reader of a game tree on a Board.  nodes: the properties of the main line's nodes."""

    def __init__(self, board: Board, tree: Branch, nodes: list[Properties]) -> None:
        self._board, self._tree, self._root = board, tree, nodes[0]
        try:
            self.record = Record(board.start(nodes))
        except GameError as error:
            raise RecordError(str(error)) from None
        self._builder = Builder(self.record, board.read)

    def read(self, fault: RecordError | None) -> Record:
        """Return the Record.  fault: the error that ended the parsing of the text, or None."""
        root, record = self._root, self.record
        moves = any(name in root for name in COLOURS)
        for name, values in root.items():
            if name not in _DERIVED and name != "C" and not (moves and name in _OF_MOVES):
                record.keep(name, values)
        record.players = tuple(root.get(name, [""])[0] for name in ("PB", "PW"))
        self._line(self._tree)
        _settle(record.line, record.start.position())
        if fault is not None:
            self._builder.fail(fault)
        return self._builder.finish(take_result(record, _read_result))

    def _line(self, branch: Branch) -> None:
        """Read a branch and its continuation into the builder's line."""
        builder = self._builder
        pending: list[Line] = []
        for part in branch.main_branches():
            for properties, offset in part.nodes:
                count = len(builder.line)
                try:
                    self._node(properties)
                except RecordError as error:
                    builder.fail(error, offset)
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
            line = builder.begin()
        except RecordError as error:
            builder.fail(error, branch.nodes[0][1] if branch.nodes else 0)
            return []
        self._line(branch)
        builder.end()
        return [line] if line else []

    def _node(self, properties: Properties) -> None:
        """Play the moves of a node and keep its other properties."""
        builder, is_root = self._builder, properties is self._root
        played = False
        for side, colour in enumerate(COLOURS):
            for text in properties.get(colour, ()):
                played = True
                if self._board.is_pass(text) and builder.position.outcome() is not None:
                    continue  # passes by which front ends agree that the game is over
                builder.play(text, side)
        inside = bool(builder.line or builder.depth)
        if properties.keys() & SETUP and inside and not (is_root and len(builder.line) <= 1):
            raise RecordError("stones are set up in the middle of the game")
        dropped = _NOT_KEPT if inside else _DERIVED
        for name, values in properties.items():
            if name == "C":
                for value in values:
                    builder.remark(value)
            elif name in dropped or is_root and not (played and name in _OF_MOVES):
                pass
            elif inside:
                builder.note(name, values)
            else:
                self.record.keep(name, values)


def _settle(line: Line, position: Position) -> None:
    """Convert the properties among the steps' annotations that the model has fields for."""
    for step in walk(position, line):
        nags, step.said = _settled(step.said, position.side)
        step.nags += nags
        for variation in step.variations:
            _settle(variation, position)


def _settled(said: Said, side: int) -> tuple[list[int], Said]:
    """Return (annotation glyphs, other annotations by the model's names) of a move of `side`."""
    named: Said = {}
    for name, values in said.items():
        name = "clk" if name == _CLOCKS[side] else OWN.get(name, name)
        values = list(map(plain_seconds, values)) if name == "clk" else values
        named.setdefault(name, []).extend(values)
    nags: list[int] = []
    others: Said = {}
    for name, values in named.items():
        value = values[0].strip() or ("1" if name in ("BM", "TE") else "")
        if len(values) == 1 and (name, value) in _NAGS:
            nags.append(_NAGS[name, value])
        elif name == "NAG":
            known = [value for value in values if _NAG.fullmatch(value)]
            nags += map(int, known)
            others[name] = [value for value in values if value not in known]
        elif name != "V" or values != _value(named.get("eval", [""])[0]):
            others[name] = values
    return nags, {name: values for name, values in others.items() if values}


def _value(evaluation: str) -> list[str] | None:
    """Return the values of V for an evaluation, None if it is a mate or unreadable."""
    found = Evaluation.read(evaluation)
    return None if found is None or found.score is None else [f"{found.score / 100:.2f}"]


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record as SGF."""
    start, game = record.start, record.start.game
    empty = Start(game, None, start.options).position()
    rows = board_of(empty)
    board = Board(game, start.options, len(rows), game.rank_one_on_top)
    columns, identity = str(len(rows[0])), _identity(game)
    first = {
        "GM": identity["GM"],
        "FF": "4",
        "CA": "UTF-8",
        "SZ": columns if len(rows[0]) == len(rows) else f"{columns}:{len(rows)}",
        "RU": identity["RU"],
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _result_text(record),
        "GN": identity["GN"],
    }
    root = root_text(record, "sgf", first, {*_DERIVED, "C", *_unfit(record)}, _read_result)
    if start.position().text() != empty.text():
        stones = _set_up(start.position(), empty, board)
        root += "".join(property_text(name, values) for name, values in stones.items())
    return f"(;{root}{_text(board, start.position(), record.line)})\n"


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
    outcome = record.final().outcome()
    won = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if won is None:
        return "0" if record.result == "1/2-1/2" else "" if outcome is None else "?"
    return won + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")


def _text(board: Board, position: Position, line: Line) -> str:
    """Return the nodes of a line and its variations; `position` stays unchanged."""
    pieces: list[str] = []
    closing: list[str] = []  # the ends of the open branches, innermost last
    count = 0
    for step in walk(position, line):
        if step.variations:
            others = [f"\n({_text(board, position, other)})" for other in step.variations]
            closing.append(")" + "".join(others))
            pieces.append("\n(")
            count = 0
        if step.before:
            pieces.append(";" + property_text("C", [step.before]))
        if not step.is_omitted:
            if count and count % 10 == 0:
                pieces.append("\n")
            count += 1
            pieces.append(_node(board, position, step))
    return "".join(pieces + closing[::-1])


def _node(board: Board, position: Position, step: Step) -> str:
    side = position.side
    node = {COLOURS[side]: [board.text(position, step.move)]}
    if step.comment:
        node["C"] = [step.comment]
    more, said = _settled(step.said, side)
    nags = step.nags + more
    names = [_MARKS[nag][0] for nag in nags if nag in _MARKS]
    for nag in nags:
        name, value = _MARKS.get(nag, ("NAG", ""))
        if name == "NAG" or name in said or names.count(name) > 1:
            name, value = "NAG", str(nag)
        node.setdefault(name, []).append(value)
    for name, values in said.items():
        name = _CLOCKS[side] if name == "clk" else own_property(name)
        if is_name(name) and name not in _NOT_KEPT:
            node.setdefault(name, []).extend(values)
        value_of_move = _value(values[0]) if name == "EVAL" else None
        if value_of_move is not None and "V" not in said:
            node["V"] = value_of_move
    return ";" + "".join(property_text(name, values) for name, values in node.items())
