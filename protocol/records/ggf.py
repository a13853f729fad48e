"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side
to move.  A move may be followed by its evaluation in discs and by its time in
seconds.  GGF has no properties for more; comments, marks and variations stand after a
move in properties of our own, which other programs ignore: C[comment], MA[mark] and
VA[B[..]W[..]…], a line that could have been played instead, the `]` in it escaped as
everywhere.
http://www.skatgame.net/mburo/ggsa/ggf
"""
from __future__ import annotations

from games.base import GameError, PositionError
from protocol.records.record import MoveReader, RecordError, Start, read_numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.base import Position
    from protocol.records.record import GameRecord, Note

    Properties = list[tuple[str, str]]

_SIZE = "8"
_COLOURS = ("B", "W")
OWN = ("C", "MA", "VA")
_KEPT = ("PC", "DT", "TI", "TY", "TB", "TW", "RB", "RW")


# ---- reading -------------------------------------------------------------------------


def read_game(text: str) -> tuple[str, list[str]]:
    """(position text, [`B[F5]`, `W[D6]`, …]) of the first game of a text.

    PositionError where it is none or not on 8x8.
    """
    return _start_and_moves(_read_properties(text.strip())[0])


def colour_of(word: str) -> int:
    """The player, 0 or 1, of a move as `read_game` gives it."""
    return _COLOURS.index(word[0])


def text_of(word: str) -> str:
    """The move's text in a move as `read_game` gives it, without evaluation and time."""
    return word[2:-1].partition("/")[0].strip()


def read_ggf(text: str) -> list[GameRecord]:
    """The GameRecords of a GGF text; RecordError where one can't be read."""
    return read_numbered(read_record, read_all(text))


def read_all(text: str) -> Iterator[Properties]:
    """The [(name, value)] of each game of a GGF, at least one; RecordError where it is none."""
    at = text.find("(;")
    if at < 0:
        raise RecordError("there is no game in this GGF: (; ... ;) is missing")
    while at >= 0:
        try:
            properties, end = _read_properties(text, at)
        except GameError as error:
            raise RecordError(str(error)) from None
        yield properties
        at = text.find("(;", end)


def read_record(properties: Properties) -> GameRecord:
    """The GameRecord of a game's properties; RecordError where it can't be read."""
    try:
        text, moves = _start_and_moves(properties)
    except GameError as error:
        raise RecordError(str(error)) from None
    start = Start("othello", Start("othello", text).position().text())
    if start.text == Start("othello").position().text():
        start = Start("othello")
    reader = MoveReader(start)
    for word in moves:
        reader.play_for(colour_of(word), text_of(word))
    tags = dict(properties)
    record = reader.record((tags.get("PB", ""), tags.get("PW", "")),
                           _read_result(tags.get("RE", "")),
                           {name: value for name, value in tags.items() if name in _KEPT})
    _keep(properties, reader.plies, record)
    return record


def _keep(properties: Properties, plies: Sequence[int], record: GameRecord) -> None:
    """Keep in a record what is said of its moves: comments, marks, variations."""
    turns, count = iter(plies), 0
    for name, value in properties:
        if name in _COLOURS:
            count += next(turns)
        elif name in OWN and count:
            record.properties.setdefault(count, {}).setdefault(name, []).append(value)


def _read_properties(text: str, at: int = 0) -> tuple[Properties, int]:
    """([(name, value)], where the text goes on) of `(;NAME[value]NAME[value]…;)` at `at`.

    A backslash takes the next character as it is.
    """
    if not text.startswith("(;", at):
        raise PositionError(text[at:], "is no game in GGF, which begins with (;")
    found: Properties = []
    name, value = "", None
    characters = iter(enumerate(text[at + 2:], at + 2))
    for index, char in characters:
        if value is None:
            if char == "[":
                value = ""
            elif char in ";)":
                return found, index
            elif not char.isspace():
                name += char
        elif char == "]":
            found.append((name.upper(), value))
            name, value = "", None
        else:
            value += next(characters, (0, ""))[1] if char == "\\" else char
    raise PositionError(text[at:], "the game is not closed by ;)")


def read_properties(text: str) -> Properties:
    """[(name, value)] of a text without the brackets around a game; PositionError."""
    return _read_properties(f"(;{text};)")[0]


def _start_and_moves(properties: Properties) -> tuple[str, list[str]]:
    start, moves = None, []
    for name, value in properties:
        if name == "GM" and value.strip().lower() != "othello":
            raise PositionError(f"GM[{value}]", "is not Othello")
        if name == "BO":
            start = _read_board(value)
        elif name in _COLOURS:
            moves.append(f"{name}[{value}]")
    if start is None:
        raise PositionError("", "the game has no start position BO[...]")
    return start, moves


def _read_board(value: str) -> str:
    """`8 ---…--- *` as 64 cells, a blank and the side."""
    size, _, rest = value.strip().partition(" ")
    cells = "".join(rest.split())
    if size != _SIZE or len(cells) != 65:
        raise PositionError(f"BO[{value}]", "is no board of 8x8 and side to move")
    return f"{cells[:64]} {cells[64]}"


def _read_result(text: str) -> str | None:
    """The result of RE's value: Black's lead in discs, then perhaps :t (time) or :r (resigned)."""
    try:
        lead = float(text.split(":")[0])
    except ValueError:
        return None
    return "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"


# ---- writing -------------------------------------------------------------------------


def write_ggf(record: GameRecord, notes: Sequence[Note | None] | None = None,
              annotator: str | None = None) -> str:
    """The GGF of a record; notes: a Note or None for each move."""
    out = write_head(record, annotator)
    for index, (position, move) in enumerate(record.positions()):
        note = notes[index] if notes else None
        kept = record.properties.get(index + 1, {})
        marks, variations = list(kept.get("MA", ())), list(kept.get("VA", ()))
        if note is not None and note.mark and not marks:
            marks.append(note.mark)
        if note is not None and note.best:
            better = _line(position, note.best)
            variations += [better] if better not in variations else []
        out += write_move(position, move, note)
        more = {"C": kept.get("C", ()), "MA": marks, "VA": variations}
        out += "".join(write_property(name, text) for name, texts in more.items() for text in texts)
    return out + ";)\n"


def _line(position: Position, line: Sequence[int]) -> str:
    """The moves of a line from `position` on, which is left as it was."""
    out = ""
    for move in line:
        out += write_move(position, move)
        position.make(move)
    for _ in line:
        position.undo()
    return out


def write_head(record: GameRecord, annotator: str | None = None) -> str:
    """What stands before the moves of a record."""
    cells = record.start.position().text().replace("X", "*").replace(" ", "")
    board = " ".join([_SIZE, *(cells[row:row + 8] for row in range(0, 64, 8)), cells[64]])
    head = {"GM": "Othello"}
    more = [*record.tags.items(), ("PB", record.players[0]), ("PW", record.players[1]),
            ("RE", _result_text(record)), ("TY", "8"), ("BO", board), ("CO", annotator or "")]
    for name, value in more:
        head.setdefault(name, value)
    return "(;" + "".join(write_property(name, value) for name, value in head.items() if value)


def write_move(position: Position, move: int, note: Note | None = None) -> str:
    """A legal move as a property, with what a Note knows of evaluation and time."""
    text = "PA" if move == position.game.pass_move else position.move_text(move)
    return f"{_COLOURS[position.side]}[{text}{_evaluation(note, position.side)}]"


def write_property(name: str, value: str) -> str:
    """A property whose value may be any text."""
    return f"{name}[{_escape(value)}]"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def _evaluation(note: Note | None, side: int) -> str:
    """`/discs/seconds`, as far as they are known; the discs are those of the player who moves."""
    if note is None or note.score is None and note.seconds is None:
        return ""
    score = "" if note.score is None else f"{(note.score if side == 0 else -note.score) / 100:.2f}"
    return f"/{score}" + (f"/{note.seconds:.2f}" if note.seconds is not None else "")


def _result_text(record: GameRecord) -> str:
    outcome = record.final().outcome()
    if outcome is not None:
        return f"{outcome.margin:+d}.000"
    return {"1-0": "+1:r", "0-1": "-1:r", "1/2-1/2": "0"}.get(record.result, "")
