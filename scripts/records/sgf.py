"""SGF, the tree-structured format: Othello (GM[2]) and Gomoku with Renju (GM[4]); the main line is read."""
from __future__ import annotations

from games import registry
from games.base import GameError, MoveError
from games.grid import read_square, write_rows
from games.options import BOARD_SIZE
from protocol import sgf
from protocol.moves import placed, read as read_move
from scripts.arena.start import Start
from scripts.records.record import MoveReader, RecordError
from scripts.records.words import line_text, score_text

_GAMES = {"2": "othello", "4": "gomoku"}
_NUMBERS = {"othello": "2", "flipello": "2", "gomoku": "4", "gomokufreestyle": "4", "renju": "4"}
_KEPT = ("EV", "DT", "PC", "RO", "GN")
_MARKS = {"?!": ("DO", ""), "?": ("BM", "1"), "??": ("BM", "2")}


def plays(game):
    """Is there an SGF of this game?"""
    return game.name in _NUMBERS


def read_sgf(text, game_name=None):
    """[the GameRecord] of an SGF text; game_name: which rules, where GM, GN and RU leave it open."""
    try:
        nodes = sgf.parse(text)
        root = nodes[0]
        game = registry.get(game_name or _game_of(root))
        options, rows = _board(root, game)
        reader = MoveReader(_start(game, options, root, rows), _reader(rows))
    except (sgf.SgfError, GameError) as error:
        raise RecordError(f"this SGF can't be read: {error}") from None
    for node in nodes:
        for colour in "BW":
            for value in node.get(colour, ()):
                reader.play_for("BW".index(colour), value)
    tags = {name: values[0] for name, values in root.items() if name in _KEPT}
    return [reader.record((root.get("PB", [""])[0], root.get("PW", [""])[0]), _result(root.get("RE", [""])[0]), tags)]


def _game_of(root):
    """The game's name; records of games that SGF has no number for may tell it in GN, as GTP's printsgf does."""
    number, rules = root.get("GM", ["?"])[0].strip(), root.get("RU", [""])[0].lower()
    title = root.get("GN", [""])[0].strip().lower()
    if number not in _GAMES:
        if title in registry.names():
            return title
        raise RecordError(f"GM[{number}] is not played here, only GM[2] (Othello) and GM[4] (Gomoku)")
    if title in registry.names() and _NUMBERS.get(title) == number:
        return title
    if number == "4" and "renju" in rules:
        return "renju"
    return "gomokufreestyle" if number == "4" and "free" in rules else _GAMES[number]


def _board(root, game):
    """(options of the game, how many rows the record's points count)."""
    resizable = BOARD_SIZE in game.options
    text = root.get("SZ", ["" if not resizable else str(BOARD_SIZE.default)])[0].strip()
    options = {}
    if resizable and text != str(BOARD_SIZE.default):
        try:
            options[BOARD_SIZE.name] = BOARD_SIZE.read(text)
        except ValueError:
            raise RecordError(f"SZ[{text}]: a board of this size is not played here") from None
    board = Start(game, None, options).position().board()
    if board is None:
        raise RecordError(f"there is no SGF of {game.name}")
    columns, rows = len(board[0]), len(board)
    sizes = {"": rows, f"{columns}:{rows}": rows, str(max(columns, rows)): max(columns, rows)}
    if text not in sizes:
        raise RecordError(f"SZ[{text}]: a board of this size is not played here")
    return options, sizes[text]


def _start(game, options, root, rows):
    """The Start with the stones that the root sets up."""
    if not (root.get("AB") or root.get("AW") or root.get("PL")):
        return Start(game, None, options)
    board = Start(game, None, options).position().board()
    cells = {_cell(text, board, rows, game): stone
             for name, stone in (("AB", "X"), ("AW", "O")) for text in root.get(name, ())}
    lines = ["".join(cells.get((column, row), ".") for column in range(len(board[0]))) for row in range(len(board))]
    second = root.get("PL", ["B"])[0].strip().upper().startswith("W")
    if game.name == "othello":
        return Start(game, "".join(lines).replace(".", "-") + " " + "XO"[second], options)
    if game.name == "flipello":
        lines = [line.replace("X", "P").replace("O", "p") for line in lines]
        return Start(game, "/".join(lines[::-1]).replace(".", "1") + f" {'wb'[second]} - - 0 1", options)
    return Start(game, f"{write_rows(lines[::-1])} {'xo'[second]}", options)


def _cell(text, board, rows, game):
    """(column, row) of a point: two letters from the top left of `rows` rows as in Go, or a square's name."""
    word = text.strip().lower()
    cell = sgf.cell(word, rows)
    if cell is None:
        return read_square(word, len(board[0]), len(board))
    column, row = cell[0], rows - 1 - cell[1] if game.rank_one_on_top else cell[1]
    if not (0 <= column < len(board[0]) and 0 <= row < len(board)):
        raise MoveError(text, "is no point of this board")
    return column, row


def _reader(rows):
    """What reads a move: a point, a square's name, or a pass (empty, or tt as in Go)."""
    def read(position, text):
        word = text.strip().lower()
        passing = position.game.pass_move
        if passing is not None and (word in ("", "pa", "ps", "--", "pass") or word == "tt" and rows < 20):
            return read_move(position, "pass")
        return placed(position, _cell(text, position.board(), rows, position.game), text)
    return read


def _result(text):
    word = text.strip().upper()
    if word in ("0", "DRAW", "JIGO"):
        return "1/2-1/2"
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2])


def write_sgf(record, notes=None, annotator=None):
    """The SGF of a record; notes: a Note or None for each move, written as comments and marks."""
    game, first = record.start.game, record.start.position()
    size = len(first.board())
    root = {"GM": [_NUMBERS[game.name]], "FF": ["4"], "CA": ["UTF-8"], "SZ": [str(size)]}
    more = {"RU": {"renju": "renju", "gomokufreestyle": "freestyle"}.get(game.name), "PB": record.players[0],
            "PW": record.players[1], "RE": _result_text(record), "AN": annotator}
    more.update((name, value) for name, value in record.tags.items() if name in _KEPT)
    root.update((name, [value]) for name, value in more.items() if value)
    if record.start.text is not None:
        root.update(_setup(first, size))
    nodes = [root]
    for index, (position, move) in enumerate(record.positions()):
        passing = move == position.game.pass_move
        nodes.append({"BW"[position.side]: ["" if passing else _point(position.placement(move), size, game)]})
        if notes and notes[index] is not None:
            nodes[-1].update(_comment(position, notes[index]))
    return sgf.write(nodes) + "\n"


def _point(cell, size, game):
    column, row = cell
    return sgf.point(column, size - 1 - row if game.rank_one_on_top else row, size)


def _setup(position, size):
    """The stones and the side to move of a position, as properties."""
    found = {"PL": ["BW"[position.side]]}
    for row, line in enumerate(position.board()):
        for column, cell in enumerate(line):
            if cell in "XO":
                found.setdefault("AB" if cell == "X" else "AW", []).append(_point((column, row), size, position.game))
    return found


def _comment(position, note):
    found = {} if note.clock is None else {"BW"[position.side] + "L": [f"{note.clock:.3f}"]}
    if note.score is None and note.mate is None:
        return found
    words = score_text(note, position.game)
    if note.best:
        words += f", better: {line_text(position, note.best)}"
    found["C"] = [words]
    if note.mark:
        found[_MARKS[note.mark][0]] = [_MARKS[note.mark][1]]
    return found


def _result_text(record):
    winner = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if winner is None:
        return "0" if record.result == "1/2-1/2" else ""
    outcome = record.final().outcome()
    return winner + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")
