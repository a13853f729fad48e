"""SGF (FF[4]): the main line of game records, read and written; what stands beside it is kept.

GM[2] is Othello and GM[4] Gomoku with Renju.  Other games whose moves are placements
on a board are recorded, too; GN tells their names (GoGui writes GM[1] for every
game).

Rows count from the top of the picture.  Othello's picture has row 1 at the top in
most programs and at the bottom in GoGui: the way round in which all moves are legal
is the one that was meant.
"""
from __future__ import annotations

from games import registry
from games.base import GameError
from games.grid import board_of
from protocol.records.record import MoveReader, RecordError, Start, read_numbered
from protocol.records.sgf_board import COLOURS, SETUP, Board, size_of
from protocol.records.sgf_text import Branch, SgfError, parse_trees, write
from protocol.records.steps import read_evaluation, write_evaluation
from protocol.scores import note_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from protocol.records.record import GameRecord, Note
    from protocol.records.sgf_text import Node

# The numbers that SGF has for games, and the games that they stand for; the first is
# the default.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}
_TOLD = {"othello", "gomoku", *_RULES}      # by their number and rules; others by GN

_KEPT = ("AP", "EV", "DT", "PC", "RO", "GN")
_ROOT = ("GM", "FF", "CA", "SZ", "RU", "PB", "PW", "RE", "AN", "AB", "AW", "AE", "PL")
_MOVE_MARKS = {"BM", "DO", "IT", "TE"}
_MARKS = {"?!": ("DO", ""), "?": ("BM", "1"), "??": ("BM", "2"),
          "!?": ("IT", ""), "!": ("TE", "1"), "!!": ("TE", "2")}


def has_number(game: Game) -> bool:
    """Does SGF know this game by a number?"""
    return game.name in _NUMBERS


# ---- games ---------------------------------------------------------------------------


def read_sgf(text: str, game_name: str | None = None) -> list[GameRecord]:
    """The GameRecords of an SGF text; game_name: which rules, where a record leaves it open."""
    try:
        return read_numbered(lambda tree: read_tree(tree, game_name)[0], parse_trees(text))
    except (SgfError, RecordError) as error:
        raise RecordError(f"this SGF can't be read: {error}") from None


def read_tree(tree: Branch, game_name: str | None = None) -> tuple[GameRecord, Board]:
    """(the GameRecord, the Board of its points) of a game; RecordError where it can't be read."""
    nodes = tree.main_line()
    reader, board = _replayed(nodes, game_name)
    root = {name: values[0] for name, values in nodes[0].items()}
    tags = {name: value for name, value in root.items() if name in _KEPT}
    players = root.get("PB", ""), root.get("PW", "")
    record = reader.record(players, _read_result(root.get("RE", "")), tags)
    _keep(tree, reader.plies, record)
    return record, board


def _keep(tree: Branch, plies: Sequence[int], record: GameRecord) -> None:
    """Keep in a record what its nodes say beside moves, and its variations, by the moves before."""
    turns, count = iter(plies), 0
    for branch in tree.main_way():
        for node in branch.nodes:
            for colour in COLOURS:
                count += next(turns, 0) if colour in node else 0
            known = COLOURS if count else (*_ROOT, *_KEPT)
            for name, values in node.items():
                if name not in known:
                    found = record.properties.setdefault(count, {})
                    found.setdefault(name, []).extend(values)
        if branch.branches[1:]:
            record.branches.setdefault(count, []).extend(branch.branches[1:])


def replay(nodes: Sequence[Node], game_name: str | None = None,
           values: Mapping[str, Any] | None = None, count: int | None = None) -> MoveReader:
    """The MoveReader after `count` moves of a record (None: all); RecordError where it can't be.

    game_name: which rules, where the record leaves it open.
    values: {name: value} of options, where the record leaves them open.
    """
    return _replayed(nodes, game_name, values, count)[0]


def _replayed(nodes: Sequence[Node], game_name: str | None = None,
              values: Mapping[str, Any] | None = None,
              count: int | None = None) -> tuple[MoveReader, Board]:
    """(the MoveReader, the Board on which all moves are legal)."""
    root = nodes[0]
    game = registry.get(_game_of(root, game_name))
    options, rows = size_of(root, game, values or {})
    ways = [False]
    if game.rank_one_on_top:
        ways = [True, False] if root.get("GM") == ["2"] else [False, True]
    faults = []
    for row_one_on_top in ways:
        try:
            board = Board(game, options, rows, row_one_on_top)
            return _replay(nodes, board, count), board
        except (GameError, RecordError) as error:
            faults.append(str(error))
    raise RecordError(faults[0])


def _replay(nodes: Sequence[Node], board: Board, count: int | None) -> MoveReader:
    reader = MoveReader(board.start(nodes), board.read)
    for node in nodes:
        if reader.plies and node.keys() & SETUP:
            raise RecordError("stones are set up in the middle of the game")
        for side, colour in enumerate(COLOURS):
            for text in node.get(colour, ())[:1]:
                if len(reader.plies) == count:
                    return reader
                if board.is_pass(text) and reader.position.outcome() is not None:
                    reader.plies.append(0)      # as front ends agree that the game is over
                else:
                    reader.play_for(side, text)
    return reader


def _game_of(root: Node, preferred: str | None) -> str:
    """The game's name; RecordError where the record doesn't tell it and none is preferred."""
    number, rules = (root.get(name, [""])[0].strip().lower() for name in ("GM", "RU"))
    names = _GAMES.get(number)
    if preferred is not None and (names is None or preferred in names):
        return preferred
    title = root.get("GN", [""])[0].strip().lower()
    if title in (names or registry.names()):
        return title
    if names is None:
        raise RecordError(f"GM[{number}] is not played here, "
                          "only GM[2] (Othello) and GM[4] (Gomoku)")
    if number == "4" and "renju" in rules:
        return "renju"
    return "gomokufreestyle" if number == "4" and "free" in rules else names[0]


def _read_result(text: str) -> str | None:
    word = text.strip().upper()
    if word in ("0", "DRAW", "JIGO"):
        return "1/2-1/2"
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2])


def write_sgf(record: GameRecord, notes: Sequence[Note | None] | None = None,
              annotator: str | None = None) -> str:
    """The SGF of a record.

    notes: a Note or None for each move, written as evaluations, comments, marks and
    variations.
    """
    root, board = root_of(record, annotator)
    nodes = [{**record.properties.get(0, {}), **root}]
    branches = {ply: list(kept) for ply, kept in record.branches.items()}
    for index, (position, move) in enumerate(record.positions()):
        nodes.append(board.node(position, move))
        note = notes[index] if notes else None
        new = _remarks(position, note) if note is not None else {}
        nodes[-1].update(_merged(record.properties.get(index + 1, {}), new))
        if note is not None and note.best:
            _add(branches.setdefault(index, []), board.nodes(position, note.best))
    return write(_tree(nodes, branches)) + "\n"


def _add(variations: list[Branch], nodes: list[Node]) -> None:
    """Add a variation, unless one that begins with its moves is there."""
    if not any(branch.main_line()[:len(nodes)] == nodes for branch in variations):
        variations.append(Branch(nodes))


def _tree(nodes: list[Node], branches: Mapping[int, list[Branch]]) -> Branch:
    """A root and its moves' nodes with the variations after so many moves."""
    tree, end = Branch(), len(nodes)
    for ply in sorted(branches, reverse=True):
        after = Branch(nodes[ply + 1:end] or [{}], tree.branches)
        tree, end = Branch((), [after, *branches[ply]]), ply + 1
    return Branch(nodes[:end], tree.branches)


def root_of(record: GameRecord, annotator: str | None = None) -> tuple[Node, Board]:
    """(the root of a record's SGF, the Board for its moves)."""
    start, game = record.start, record.start.game
    shown = Start(game, None, start.options).position()
    empty = board_of(shown)
    columns, rows = len(empty[0]), len(empty)
    board = Board(game, start.options, rows, game.rank_one_on_top)
    more = {"GM": _NUMBERS.get(game.name), "FF": "4", "CA": "UTF-8",
            "SZ": str(columns) if columns == rows else f"{columns}:{rows}",
            "RU": _RULES.get(game.name), "PB": record.players[0], "PW": record.players[1],
            "RE": _result_text(record), "AN": annotator}
    more.update((name, value) for name, value in record.tags.items() if name in _KEPT)
    if game.name not in _TOLD:
        more["GN"] = game.name
    root = {name: [value] for name, value in more.items() if value}
    if start.text is not None:
        root.update(_set_up(start.position(), shown, board))
    return root, board


def _merged(kept: Node, new: Node) -> Node:
    """A node with a note's properties: its own mark stays, comments are joined."""
    found = {**new, **kept}
    if set(kept) & _MOVE_MARKS:
        found = {name: values for name, values in found.items()
                 if name in kept or name not in _MOVE_MARKS}
    if "C" in kept and "C" in new and new["C"][0] not in kept["C"][0]:
        found["C"] = [kept["C"][0] + "\n" + new["C"][0]]
    return found


def _set_up(position: Position, usual: Position, board: Board) -> Node:
    """The stones and the side to move of a position, as properties; usual: the game's own start."""
    found = {"PL": [COLOURS[position.side]]}
    usual_board = board_of(usual)
    for row, cells in enumerate(board_of(position)):
        for column, cell in enumerate(cells):
            if cell in "XO" or usual_board[row][column] != ".":
                name = {"X": "AB", "O": "AW"}.get(cell, "AE")
                found.setdefault(name, []).append(board.point((column, row)))
    return found


def _remarks(position: Position, note: Note) -> Node:
    found = {}
    if note.clock is not None:
        found[COLOURS[position.side] + "L"] = [f"{note.clock:.3f}"]
    if note.score is None and note.mate is None:
        return found
    found.update(C=[note_text(note, position.game)], **evaluation(note))
    if note.mark:
        found.update(mark_node(note.mark))
    return found


def evaluation(note: Note) -> Node:
    """What an engine said, as properties.

    V has the first player's advantage, as SGF knows it.  EVAL is our own, which other
    programs ignore: a win in N moves (#N), too, and the depth after a comma, in the
    words of PGN's [%eval].
    """
    found = {"EVAL": [write_evaluation(note)]}
    if note.mate is None and note.score is not None:
        found["V"] = [f"{note.score / 100:.2f}"]
    return found


def read_note(node: Node) -> Note | None:
    """The Note that a node holds, or None."""
    text = (node.get("EVAL") or node.get("V") or [""])[0]
    return read_evaluation(text)


def mark_node(mark: str) -> Node:
    """A mark as a property."""
    name, value = _MARKS[mark]
    return {name: [value]}


def read_mark(node: Node) -> str:
    """The mark that a node holds, or ""."""
    return next((mark for mark, (name, value) in _MARKS.items()
                 if name in node and (not value or (node[name][0] or "1") == value)), "")


def _result_text(record: GameRecord) -> str:
    winner = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if winner is None:
        return "0" if record.result == "1/2-1/2" else ""
    outcome = record.final().outcome()
    return winner + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")
