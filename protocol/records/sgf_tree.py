"""Game trees of stones, as SGF and GGF have them: their nodes become steps, and steps nodes."""

from __future__ import annotations

import re

from protocol.records.builder import Builder
from protocol.records.record import Evaluation, Record, RecordError, plain_seconds, walk
from protocol.records.sgf_board import COLOURS, SETUP, Board
from protocol.records.sgf_text import OWN, is_name, own_property, take_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from games.base import Position
    from protocol.records.record import Line, Said, Start, Step
    from protocol.records.sgf_text import Branch, Properties

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

    derived: properties of the root that are not kept.
    """

    def __init__(
        self, board: Board, start: Start, tree: Branch, derived: Collection[str] = DERIVED
    ) -> None:
        self._board, self._tree, self._derived = board, tree, derived
        self._root = next(node for branch in tree.main_branches() for node, _ in branch.nodes)
        self.record = Record(start)
        self._builder = Builder(self.record, board.read)
        self._swapped = False  # do the colours name the other players?

    def read(self, fault: RecordError | None, read_result: Callable[[str], str | None]) -> Record:
        """Return the Record.  fault: the error that ended the parsing of the text, or None."""
        root, record = self._root, self.record
        moves = any(name in root for name in COLOURS)
        for name, values in root.items():
            if name not in self._derived and name != "C" and not (moves and name in _OF_MOVES):
                record.keep(name, values)
        record.players = tuple(root.get(name, [""])[0] for name in ("PB", "PW"))
        self._line(self._tree)
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
                if text.strip().lower() in _NO_MOVES:
                    self._say(colour, text.strip().lower())
                    continue
                played = True
                side = side ^ self._swapped
                if self._board.is_pass(text) and builder.position.outcome() is not None:
                    continue  # passes by which front ends agree that the game is over
                builder.play(text, side)
        inside = bool(builder.line or builder.depth)
        if properties.keys() & SETUP and inside and not (is_root and len(builder.line) <= 1):
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
