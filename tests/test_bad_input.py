"""Bad input of every kind gets an error, changes nothing, and does not end the process."""

import shlex

import pytest
from conftest import ROOT, run_python
from tables import rows

ERROR = "info string error: .+"
BESTMOVE = r"bestmove \S+( ponder \S+)?"


def errors(engine, *lines):
    """Return the error lines that these commands get."""
    engine.send(*lines)
    return [line for line in engine.settle() if line.startswith("info string error: ")]


@pytest.mark.parametrize(
    "line, offending", rows("bad_input.each_mistake_gets_one_error_line_and_changes_nothing")
)
def test_each_mistake_gets_one_error_line_and_changes_nothing(engine, line, offending):
    # A `go` starts without the refused word and may still be running, so ignore its output.
    def board():
        said = engine.ask("d", "Result: .*")
        return [line for line in said if not line.startswith(("info ", "bestmove "))]

    engine.send("position startpos moves d2d4")
    before = board()
    found = errors(engine, line)
    assert len(found) == 1 and offending.lower() in found[0].lower(), found
    assert board() == before


@pytest.mark.parametrize(
    "game, text",
    [
        ("tree", "((3 5) (6 9)"),
        ("tree", "()"),
        ("tree", "(1 x)"),
        ("tree", "(1 2) 3"),
        ("tree", "(" * 5000 + "1" + ")" * 5000),
        ("tree", "(" + "9" * 5000 + ")"),
        ("tree", "(A: A:1)"),
        ("tictactoe", "xxx/xxx/3 o"),
        ("connect4", "x6/7/7/7/7/7 o"),
        ("othello", "X" * 65 + " O"),
        ("flipello", "8/8/8/3pQ3/3Pp3/8/8/8 w 0 1"),
        ("gomoku", "/".join(["21"] * 21) + " x"),
        ("renju", "/".join(["5"] * 4 + ["4"]) + " x"),
    ],
    ids=lambda value: value[:24],
)
def test_impossible_positions_of_every_game_are_refused(engine, game, text):
    engine.send(f"setoption name UCI_Variant value {game}")
    before = engine.ask("d", "Result: .*")
    assert len(errors(engine, f"position fen {text}")) == 1
    assert engine.ask("d", "Result: .*") == before


def shown(engine):
    """Return the lines of the command `d` up to the result.

    In chess a line `Checkers: ...` follows the result.  If an earlier `d` has left it unread, it
    comes first here, and is left out.
    """
    lines = engine.ask("d", "Result: .*")
    return [line for line in lines if not line.startswith("Checkers")]


@pytest.mark.parametrize(
    "game", ["chess", "othello", "flipello", "connect4", "tictactoe", "gomoku", "renju", "tree"]
)
def test_an_illegal_move_anywhere_in_the_list_changes_nothing(engine, game):
    engine.send(f"setoption name UCI_Variant value {game}")
    moves = []
    for _ in range(4):
        engine.send("position startpos moves " + " ".join(moves))
        legal = next(
            line for line in engine.ask("d", "Result: .*") if line.startswith("Moves: ")
        ).split()[1:]
        moves.append(legal[0])
    engine.send("position startpos moves " + " ".join(moves))
    before = shown(engine)
    for place in range(len(moves) + 1):
        words = moves[:place] + ["z9"] + moves[place:]
        found = errors(engine, "position startpos moves " + " ".join(words))
        assert len(found) == 1 and "z9" in found[0]
        assert shown(engine) == before


@pytest.mark.parametrize(
    "endless", ["go infinite", "go", "go ponder wtime 1000 btime 1000", "go ponder\nponderhit"]
)
def test_go_during_an_infinite_search_is_refused(engine, endless):
    for second in ("go depth 1", "go perft 2", "bench 1", "go infinite"):
        engine.send("position startpos", endless, second)
        engine.until(ERROR)
        engine.ask("stop", BESTMOVE)
        assert engine.settle() == []


def test_settings_and_positions_during_a_search_apply_to_the_next_one(engine):
    engine.send("position startpos", "go infinite")
    engine.until("info depth .*")
    engine.send(
        "setoption name Hash value 8",
        "setoption name UCI_Variant value tictactoe",
        "position startpos moves b2",
    )
    engine.ask("stop", BESTMOVE)
    assert any(line.startswith("Fen: 3/1x1/3") for line in engine.ask("d", "Result: .*"))
    engine.ask("go depth 9", BESTMOVE)


def test_blank_lines_carriage_returns_and_tabs_are_accepted(engine):
    engine.send_bytes(b"\n\r\n \t \nposition\tstartpos \t moves   e2e4\r\n\tisready\r\n")
    assert engine.until("readyok") == ["readyok"]
    assert any("4P3" in line for line in engine.ask("d", "Result: .*"))


def test_bytes_that_are_not_text_get_error_lines(engine):
    engine.send_bytes(
        b"\xff\xfe\x00\x01\n\x00\nposition startpos moves \xe2\x82\n\x1b[31m\nisready\n"
    )
    lines = engine.until("readyok")
    assert len(lines) == 5 and all(line.startswith("info string error: ") for line in lines[:-1])
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 1_000_000,
        b"position startpos moves " + b"e2e4 " * 200_000,
        b"position fen " + b"8/" * 500_000,
        b"setoption name Hash value " + b"9" * 1_000_000,
        b"go depth " + b"1" * 1_000_000,
        b"\x00" * 1_000_000,
        b"position startpos moves" + b" g1f3 g8f6 f3g1 f6g8" * 50_000,
    ],
    ids=["word", "moves", "rows", "option", "number", "NUL", "legal moves"],
)
def test_a_line_of_a_megabyte_is_refused(engine, line):
    engine.send_bytes(line + b"\nisready\n")
    lines = engine.until("readyok")
    # On a bad limit the engine searches to depth 1, perhaps before it reads `isready`.
    lines = [text for text in lines if not text.startswith(("info depth ", "bestmove "))]
    assert len(lines) == 2 and len(lines[0]) < 400 and lines[0].startswith("info string error: ")


def test_large_trees_are_read_or_refused(engine):
    engine.send("setoption name UCI_Variant value tree")
    engine.send_bytes(b"position fen " + b"(" * 1_000_000 + b"\n")
    engine.send_bytes(b"position fen (" + b"7 " * 100_000 + b")\n")
    assert len([line for line in engine.settle() if line.startswith("info string error")]) == 1
    assert engine.ask("go", BESTMOVE)[-2].split(" score ")[1].startswith("cp 7 ")


def test_the_last_line_is_carried_out_even_without_a_line_feed(start):
    engine = start()
    engine.send_bytes(b"uci\nisready")
    lines, status = engine.end()
    assert lines[-1] == "readyok" and status == 0


def test_empty_input_ends_the_process(start):
    assert start().end() == ([], 0)


@pytest.mark.parametrize(
    "arguments, word", rows("bad_input.an_invalid_command_line_is_reported_on_stderr")
)
def test_an_invalid_command_line_is_reported_on_stderr(arguments, word):
    done = run_python(ROOT / "engine.py", *shlex.split(arguments), encoding=None)
    assert done.returncode == 2 and done.stdout == b""
    errors = done.stderr.decode()
    assert word in errors and errors.startswith("engine.py: ") and errors.count("\n") == 1


def test_an_internal_error_is_reported_and_the_session_goes_on(tmp_path):
    plugin = tmp_path / "broken.py"
    plugin.write_text(
        "from games import registry\n"
        "from games.tictactoe import TicTacToe, TicTacToePosition\n"
        "class Broken(TicTacToe):\n    name, aliases = 'broken', ()\n"
        "    def start(self, options):\n        return BrokenPosition(self, 0, 0)\n"
        "    def parse(self, text, options):\n        return BrokenPosition(self, 0, 0)\n"
        "class BrokenPosition(TicTacToePosition):\n"
        "    def evaluate(self):\n        raise RuntimeError('oops')\n"
        "GAMES = [Broken()]\n"
    )
    done = run_python(
        ROOT / "engine.py", "--plugin", plugin, "--game", "broken", input=b"eval\ngo depth 3\n"
    )
    output = done.stdout.decode().splitlines()
    assert output[0].startswith("info string error: internal error")
    assert output[-1].startswith("bestmove P@")
    assert "oops" in done.stderr.decode() and done.returncode == 0
