"""The nodes of SGF and GGF, read as steps with variations, and the steps, written as nodes."""

from __future__ import annotations

import re

from protocol.records.builder import Builder
from protocol.records.record import Evaluation, Record, RecordError, plain_seconds, walk
from protocol.records.sgf_board import COLOURS, SETUP, Board
from protocol.records.sgf_text import (
    OWN,
    is_name,
    own_property,
    properties_text,
    property_text,
    take_result,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from games.base import Position
    from protocol.records.record import Line, Said, Start, Step
    from protocol.records.sgf_text import Node, Properties

# Properties that the model has fields for.
DERIVED = {"GM", "FF", "CA", "SZ", "PB", "PW", *SETUP, *COLOURS}
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
_NO_MOVES = ("swap", "resign")
_CLOCKS = ("BL", "WL")  # of each player
_OF_MOVES = {"C", "V", "NAG", *OWN, *_CLOCKS, *(name for name, _ in _NAGS)}
_NOT_KEPT = {"C", "CA", *SETUP, *COLOURS}  # of moves
_NAG = re.compile("0*[1-9][0-9]{0,2}")


# ---- reading -------------------------------------------------------------------------


class Reader:
    """A reader of a game tree on a Board.

    nodes: the main line.  derived: properties of the root that are not kept.
    """

    def __init__(
        self, board: Board, start: Start, nodes: list[Node], derived: Collection[str] = DERIVED
    ) -> None:
        self._board, self._nodes, self._derived = board, nodes, derived
        self.record = Record(start)
        self._builder = Builder(self.record, board.read)
        self._swapped = False  # do the colours name the other players?

    def read(self, fault: RecordError | None, read_result: Callable[[str], str | None]) -> Record:
        """Return the Record.  fault: the error that ended the parsing of the text, or None."""
        root, record = self._nodes[0].properties, self.record
        moves = any(name in root for name in COLOURS)
        for name, values in root.items():
            if name not in self._derived and name != "C" and not (moves and name in _OF_MOVES):
                record.keep(name, values)
        record.players = tuple(root.get(name, [""])[0] for name in ("PB", "PW"))
        self._line(self._nodes)
        said, record.said = record.said, {}
        for name, values in said.items():  # those of lines without moves, too
            record.keep(name, values)
        _settle(record.line, record.start.position())
        if fault is not None:
            self._builder.fail(fault)
        return self._builder.finish(take_result(record, read_result))

    def _say(self, colour: str, word: str) -> None:
        """Keep that a player resigned, or took the other colour, as LittleGolem has it."""
        self._builder.note(word.upper(), [colour])
        if word == "swap":
            self._swapped = not self._swapped
            self.record.players = self.record.players[::-1]
        elif "RE" not in {**self.record.tags, **self.record.said}:
            self.record.tags["RE"] = f"{COLOURS[1 - COLOURS.index(colour) ^ self._swapped]}+R"

    def _line(self, nodes: list[Node]) -> None:
        """Read nodes into the builder's line."""
        waiting: list[list[Node]] = []  # variations of the next move
        while nodes:
            for node in nodes:
                waiting += node.variations
                try:
                    self._node(node, waiting)
                except RecordError as error:
                    self._builder.fail(error, node.offset)
                    return
            nodes = waiting.pop(0) if waiting else []  # the main line had no more moves

    def _vary(self, index: int, variations: list[list[Node]]) -> None:
        """Read variations of the move `index` of the builder's line; leave the list empty."""
        while variations:
            nodes = variations.pop(0)
            try:
                self._builder.open(index)
            except RecordError as error:
                self._builder.fail(error, nodes[0].offset if nodes else 0)
                continue
            self._line(nodes)
            self._builder.close()

    def _node(self, node: Node, variations: list[list[Node]]) -> None:
        """Play the moves of a node, with variations of the first one, and keep the rest."""
        builder, properties, is_root = self._builder, node.properties, node is self._nodes[0]
        played = False
        for side, colour in enumerate(COLOURS):
            for text in properties.get(colour, ()):
                if text.strip().lower() in _NO_MOVES:
                    self._say(colour, text.strip().lower())
                    continue
                played = True
                if self._board.is_pass(text) and builder.position.outcome() is not None:
                    continue  # passes by which front ends agree that the game is over
                count = len(builder.line)
                builder.play(text, side ^ self._swapped)
                self._vary(count, variations)
        inside = bool(builder.line or builder.depth)
        if properties.keys() & SETUP and inside and not is_root:
            raise RecordError("stones are set up in the middle of the game")
        dropped = _NOT_KEPT if inside else self._derived
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


def node_of(board: Board, position: Position, step: Step) -> Properties:
    """Return the properties of a move.  position: before it."""
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
    return node


def line_text(board: Board, position: Position, line: Line) -> str:
    """Return the nodes of a line and its variations; `position` stays unchanged."""
    pieces: list[str] = []
    closing: list[str] = []  # the ends of the open branches, innermost last
    count = 0
    for step in walk(position, line):
        if step.variations:
            others = [f"\n({line_text(board, position, other)})" for other in step.variations]
            closing.append(")" + "".join(others))
            pieces.append("\n(")
            count = 0
        if step.before:
            pieces.append(";" + property_text("C", [step.before]))
        if not step.is_omitted:
            if count and count % 10 == 0:
                pieces.append("\n")
            count += 1
            pieces.append(";" + properties_text(node_of(board, position, step)))
    return "".join(pieces + closing[::-1])
