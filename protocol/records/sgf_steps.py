"""The moves of an SGF with their comments, variations, marks and evaluations, read and written."""
from __future__ import annotations

from games.base import GameError
from protocol.records.record import GameRecord, RecordError, Start, read_numbered
from protocol.records.sgf import (
    evaluation,
    mark_node,
    read_mark,
    read_note,
    read_tree,
    root_of,
)
from protocol.records.sgf_text import Branch, SgfError, parse_trees, write
from protocol.records.steps import Counter, Step, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.sgf_board import Board
    from protocol.records.sgf_text import Node
    from protocol.records.steps import Line


def read_sgf_steps(text: str, game_name: str | None = None
                   ) -> list[tuple[GameRecord, Line, str]]:
    """(the record, its line, the comment before it) of each game; RecordError as read_sgf."""
    try:
        return read_numbered(lambda tree: _read_game(tree, game_name), parse_trees(text))
    except (SgfError, RecordError) as error:
        raise RecordError(f"this SGF can't be read: {error}") from None


def _read_game(tree: Branch, game_name: str | None) -> tuple[GameRecord, Line, str]:
    record, board = read_tree(tree, game_name)
    reader = _Reader(record.start, board)
    try:
        return record, reader.line(tree), reader.comment
    except GameError as error:
        raise RecordError(str(error)) from None


class _Reader:
    """Reads a tree.  comment: what stands before the first move."""

    def __init__(self, start: Start, board: Board) -> None:
        self._position, self._board = start.position(), board
        self._counter = Counter()
        self.comment = ""

    def line(self, tree: Branch, depth: int = 0) -> Line:
        """The line of a branch and of what follows it; the position is the same afterwards."""
        line: Line = []
        variations: list[Line] = []     # instead of the next move
        for branch in tree.main_way():
            for node in branch.nodes:
                count = len(line)
                self._play(node, line, depth)
                if line[count:]:
                    line[count].variations, variations = variations, []
                self._remark(node, line, depth)
            variations += [self.line(other, depth + 1) for other in branch.branches[1:]]
        undo(self._position, len(line))
        return line

    def _play(self, node: Node, line: Line, depth: int) -> None:
        """Play the moves of a node."""
        for move in self._board.moves(self._position, node):
            self._counter.add(depth)
            line.append(Step(move))
            self._position.make(move)

    def _remark(self, node: Node, line: Line, depth: int) -> None:
        """Note what a node says of the last move."""
        words = " ".join(" ".join(node.get("C", ())).split())
        if not line:
            if not depth:
                self.comment = " ".join(filter(None, [self.comment, words]))
            return
        step = line[-1]
        step.remark(words)
        step.mark = read_mark(node) or step.mark
        step.note = read_note(node) or step.note


def write_sgf_steps(record: GameRecord, line: Line, comment: str = "") -> str:
    """The SGF of a record with the moves of a line, and all that is said of them."""
    empty = GameRecord(record.start, [], record.players, record.result, record.tags)
    root, board = root_of(empty)
    if comment:
        root["C"] = [comment]
    tree = _branch(board, record.start.position(), line)
    return write(Branch([root, *tree.nodes], tree.branches)) + "\n"


def _branch(board: Board, position: Position, line: Line) -> Branch:
    """The branch of a line from `position` on, which is left as it was."""
    nodes, variations = [], []
    for step in line:
        variations.append([_branch(board, position, other) for other in step.variations])
        nodes.append(_node(board, position, step))
        position.make(step.move)
    undo(position, len(line))
    tree = Branch()
    for node, others in zip(reversed(nodes), reversed(variations)):
        tree.nodes.insert(0, node)
        if others:
            tree = Branch((), [tree, *others])
    return tree


def _node(board: Board, position: Position, step: Step) -> Node:
    node = board.node(position, step.move)
    if step.comment:
        node["C"] = [step.comment]
    if step.mark:
        node.update(mark_node(step.mark))
    if step.note is not None:
        node.update(evaluation(step.note))
    return node
