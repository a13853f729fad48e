"""scripts/package: one file that is the whole engine, from any directory."""
# Not in the fast part of scripts/test.

import os
import pathlib
import re
import struct
import subprocess
import sys
import zipfile

import pytest

from games import registry

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMES = registry.built_in()
PLUGIN = """
from games.base import Game, Outcome, Position, PositionError, WIN

class OneMove(Game):
    name = "onemove"
    def start(self, options):
        return OneMovePosition(self)
    def parse(self, text, options):
        return OneMovePosition(self)

class OneMovePosition(Position):
    def __init__(self, game):
        self.game = game
    def legal_moves(self):
        return [] if self.key else [0]
    def make(self, move):
        self.key, self.side = 1, 1
    def undo(self):
        self.key, self.side = 0, 0
    def outcome(self):
        return Outcome(0, "moved") if self.key else None
    def text(self):
        return str(self.key)
    def move_text(self, move):
        return "go"

GAMES = [OneMove()]
"""


def package(*arguments, status=0):
    """Run scripts/package; return its output."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "package"), *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        cwd="/",
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Return the engine packaged as one file."""
    file = tmp_path_factory.mktemp("packed") / "plyglot.pyz"
    assert package("-o", file).startswith(f"{file}: ")
    return file


def session(file, lines, *arguments, cwd="/", **environment):
    """Run the engine in `file` from another directory; return its answers."""
    done = subprocess.run(
        [sys.executable, str(file), *arguments],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


def talk(file, turns):
    """Send lines to the engine in `file` turn by turn; return its answers.

    turns: [(lines, beginning of the last answer)].
    """
    process = subprocess.Popen(
        [sys.executable, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd="/",
    )
    answers = []
    with process:
        for lines, last in turns:
            process.stdin.write("".join(line + "\n" for line in lines))
            process.stdin.flush()
            for answer in process.stdout:
                answers.append(answer.rstrip("\n"))
                if answer.startswith(last):
                    break
        process.communicate(
            "quit\n"
        )  # reads the rest: if its output were closed, the engine would exit before it has read its input
    assert process.returncode == 0
    return answers


def steady(lines):
    """Return lines without the parts that differ between runs."""
    return [
        re.sub(r" (nps|time) \d+", "", line)
        for line in lines
        if "Nodes/second" not in line and not line.startswith("info currmove")
    ]


def test_a_compliance_session(packed):
    turns = [(["uci"], "uciok"), (["debug on", "debug off", "ucinewgame", "isready"], "readyok")]
    for game in GAMES:
        turns += [
            ([f"setoption name UCI_Variant value {game}", "ucinewgame", "isready"], "readyok"),
            (["position startpos", "d", "eval"], "Evaluation: "),
            (["go depth 2"], "bestmove "),
            (["go perft 2"], "Nodes searched: "),
        ]
    answers = talk(packed, turns)
    assert answers[0].startswith("id name Plyglot")
    assert sum(line.startswith("bestmove ") for line in answers) == len(GAMES)
    assert not [line for line in answers if "error" in line or "bestmove (none)" in line]
    assert "Nodes searched: 400" in answers, "chess"
    assert steady(answers) == steady(talk(ROOT / "engine.py", turns)), (
        "it answers as engine.py does"
    )


@pytest.mark.parametrize(
    "game, position",
    [
        ("chess", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"),  # king and pawn, which need the table
        ("chess", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
        ("othello", "---------------------------OX------XO--------------------------- X"),
        ("connect4", "7/7/7/7/7/7 x"),
    ],
)
def test_the_data_files_of_the_games_are_included(packed, game, position):
    lines = [
        f"setoption name UCI_Variant value {game}",
        f"position fen {position}",
        "eval",
        "go depth 4",
    ]
    answers = session(packed, lines)
    assert answers[-1].startswith("bestmove ")
    assert steady(answers) == steady(session(ROOT / "engine.py", lines))


def test_a_polyglot_book_is_read(packed, tmp_path):
    key = 0x463B96181691FC9C  # of the start position
    a2a3 = 0 | 2 << 3 | 0 << 6 | 1 << 9  # to a3 from a2: file, rank, file, rank
    (tmp_path / "book.bin").write_bytes(struct.pack(">QHHI", key, a2a3, 1, 0))
    lines = [
        f"setoption name BookFile value {tmp_path / 'book.bin'}",
        "position startpos",
        "go wtime 1000 btime 1000",
    ]
    assert session(packed, lines)[-1] == "bestmove a2a3"


@pytest.mark.parametrize(
    "lines, words",
    [
        (["protocol_version", "quit"], "= 2"),
        (["xboard", "protover 2", "quit"], "feature done=1"),
        (["START 15", "ABOUT", "END"], "OK"),
        (["nboard 2", "ping 1"], "pong 1"),
    ],
)
def test_every_protocol(packed, lines, words):
    assert any(words in line for line in session(packed, lines))


def test_the_command_line(packed, tmp_path):
    assert session(packed, [], "--version")[0].startswith("Plyglot ")
    assert session(packed, [], "--game", "tictactoe", "go", "depth", "9")[-1].startswith(
        "bestmove P@"
    )
    (tmp_path / "game.py").write_text(PLUGIN)
    lines = ["setoption name UCI_Variant value onemove", "go depth 3"]
    assert session(packed, lines, "--plugin", str(tmp_path / "game.py"))[-1] == "bestmove go"
    assert session(packed, lines, PLYGLOT_PLUGINS=str(tmp_path / "game.py"))[-1] == "bestmove go"


def test_the_archive_is_executable_from_any_directory(packed):
    if os.name == "posix":
        assert os.access(packed, os.X_OK)
        assert packed.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    assert session(packed.name, ["uci"], cwd=packed.parent)[-1] == "uciok"


def test_other_interpreters_use_the_sources(packed, tmp_path):
    foreign = tmp_path / "foreign.pyz"
    with zipfile.ZipFile(packed) as archive, zipfile.ZipFile(foreign, "w") as copy:
        for name in archive.namelist():
            data = archive.read(name)
            copy.writestr(name, b"\0\0\r\n" + data[4:] if name.endswith(".pyc") else data)
    lines = ["uci", "setoption name UCI_Variant value othello", "eval", "go depth 2"]
    assert steady(session(foreign, lines)) == steady(session(packed, lines))


def test_the_archive_has_the_expected_files(packed):
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    assert "LICENSE" in names
    assert {name + "c" for name in names if name.endswith(".py")} - {"__main__.pyc"} <= set(names)
    tracked = [
        path.relative_to(ROOT).as_posix()
        for folder in ("games", "search", "protocol")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert set(tracked) <= set(names)
    assert not [name for name in names if name.startswith(("scripts/lab", "tests"))]


def test_builds_are_reproducible(tmp_path):
    for name in ("one.pyz", "two.pyz"):
        package("-o", tmp_path / name)
    assert (tmp_path / "one.pyz").read_bytes() == (tmp_path / "two.pyz").read_bytes()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-o", "/dev/null/plyglot.pyz"], "can't write /dev/null/plyglot.pyz"),
        (["--unknown"], "--unknown"),
    ],
)
def test_bad_arguments(arguments, words):
    assert words in package(*arguments, status=2)


def test_messages_name_the_archive(packed):
    shown = "\n".join(session(packed, [], "--help"))
    assert shown.startswith("usage: plyglot.pyz ")
    assert "plyglot.pyz bench" in shown
    assert "engine.py" not in shown
    done = subprocess.run(
        [sys.executable, str(packed), "--nonsense"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("plyglot.pyz: ")
    assert done.stderr.count("\n") == 1


def test_help_has_an_example():
    assert "dist/plyglot.pyz go depth 6" in package("--help")


def test_games_ask_the_loader_for_their_data():
    """In an archive __file__ is not a path on the disk; the module's loader finds its data."""
    for path in (ROOT / "games").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "__file__" in source or "__loader__" in source:
            assert (
                path.name == "data.py"
                and "__loader__.get_data(" in source
                and "abspath(__file__)" not in source
            ), path
