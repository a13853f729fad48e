"""If a data file is missing or damaged, the engine uses a simpler fallback and says so once."""

import random
import shutil
import sys
from array import array

import pytest
from conftest import ROOT, run_python

from games import data

FILES = (
    "chess/network.bin chess/kpk.bin chess/kbnk.bin chess/polyglot.bin chess/variants/horde.bin "
    "chess/variants/atomic.bin othello/weights.bin connect4/book.bin gomoku/network.bin gomoku/network_exact.bin "
    "draughts/weights10.bin draughts/weights8.bin draughts/checkers.bin "
    "shogi/shogi.bin shogi/minishogi.bin shogi/shogi_book.bin"
).split()
# {file: ((request, pattern of the fallback's move), ...)}.  Each request is sent twice, to check
# that the notice of a missing file comes only once.
QUESTIONS = {
    "chess/network.bin": (("fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"),),
    "chess/kpk.bin": (("fen 8/4P3/4K3/8/8/8/8/k7 w - - 0 1", "e7e8."),),
    "chess/kbnk.bin": (("fen 8/8/3k4/8/8/5N2/3B4/4K3 w - - 0 1", "...."),),
    "chess/polyglot.bin": (("startpos moves e2e4", "....."),),
    "chess/variants/horde.bin": (("fen 4k3/8/8/3q4/4P3/8/8/8 w - - 0 1", "e4d5"),),
    "chess/variants/atomic.bin": (("fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"),),
    "othello/weights.bin": (("startpos", "P@.."), ("fen X" + 62 * "O" + "- X", "P@h8")),
    "gomoku/network.bin": (
        ("startpos", "P@h8"),
        ("startpos moves h8 a1 i8 a15 j8 o1 k8 o15", "P@.8"),
    ),
    "gomoku/network_exact.bin": (
        ("startpos", "P@h8"),
        ("startpos moves h8 a1 i8 a15 j8 o1 k8 o15", "P@.8"),
    ),
    "shogi/shogi.bin": (("fen 4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1", "e4e5"),),
    "shogi/minishogi.bin": (("fen 4k/5/2r2/2P2/K4 b - 1", "c2c3"),),
    "shogi/shogi_book.bin": (("startpos", "...."),),
    "draughts/weights10.bin": (("fen W:W28,32:B22", "28x17"),),
    "draughts/weights8.bin": (("fen W:Wc3,e1:Bd4", "c3xe5"),),
    "draughts/checkers.bin": (("fen W:W22,32:B18", "22x15"),),
    "connect4/book.bin": (
        ("startpos moves 4 4 4 4", "P@.."),
        ("startpos moves 1 7 1 7 1 7", "P@a4"),
    ),
}


def game_of(name):
    """Return the name of the game that needs a data file."""
    if name == "gomoku/network.bin":
        return "gomokufreestyle"
    if name == "draughts/weights8.bin":
        return "brazilian"
    folder, *_, file = name.split("/")
    named = "/variants/" in name or folder == "shogi" or file == "checkers.bin"
    return file[: -len(".bin")].replace("_book", "") if named else folder


def missing(path):
    path.unlink()


def empty(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[:-1000])


def noise(path):
    path.write_bytes(
        random.Random(1)
        .getrandbits(8 * path.stat().st_size)
        .to_bytes(path.stat().st_size, "little")
    )


def flipped(path):
    """Flip one bit in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def folder(path):
    path.unlink()
    path.mkdir()


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return the folder of a copy of the engine."""
    place = tmp_path_factory.mktemp("copied")
    for name in ("games", "search", "protocol"):
        shutil.copytree(ROOT / name, place / name)
    shutil.copy(ROOT / "engine.py", place)
    (place / "empty-book.bin").write_bytes(b"")
    return place


@pytest.fixture
def engine_in(copied):
    """Yield the folder of the copy, whose data files the test may damage; then mend them."""
    yield copied
    for name in FILES:
        path = copied / "games" / name
        if path.is_dir():
            path.rmdir()
        shutil.copy(ROOT / "games" / name, path)


def run_script(place, *lines):
    """Return the engine's answers; it must write nothing to stderr."""
    done = run_python(place / "engine.py", input="".join(line + "\n" for line in lines), cwd=place)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("first", range(2))
def test_damaged_files_are_reported_once_and_play_continues(engine_in, first):
    """Every case damages all files; the kind of damage to a file differs from case to case."""
    lines, wanted = ["uci", "setoption name ShogiBook value true"], []
    damages = [missing, empty, cut, noise, flipped, folder]
    for number, name in enumerate(FILES):
        damages[(number + 3 * first) % len(damages)](engine_in / "games" / name)
        lines += [
            f"setoption name UCI_Variant value {game_of(name)}",
            "setoption name BookFile value empty-book.bin",
        ]
        for where, move in QUESTIONS[name] * 2:
            lines += [f"position {where}", "eval", "go depth 2"]
            wanted.append(move)
    answers = run_script(engine_in, *lines)
    reports = [line for line in answers if line.startswith("info string ") and ".bin" in line]
    assert [sum(f"{name} is " in line for line in reports) for name in FILES] == [1] * len(FILES)
    assert len(reports) == len(FILES)
    found = [line.split()[1] for line in answers if line.startswith("bestmove ")]
    assert len(found) == len(wanted) == sum(line.startswith("Evaluation: ") for line in answers)
    for move, pattern in zip(found, wanted):
        assert len(move) in (4, 5) and all(
            letter in (".", char) for letter, char in zip(pattern, move)
        ), (move, pattern)
    assert not any("error" in line for line in answers)


@pytest.mark.parametrize(
    "lines, words",
    [
        ("xboard\nnew\nsd 2\ngo\n", "telluser chess/network.bin is missing: "),
        ("nboard 2\nset depth 2\ngo\n", "status othello/weights.bin is missing: "),
    ],
)
def test_other_protocols_report_damage_in_their_own_format(engine_in, lines, words):
    for name in ("chess/network.bin", "othello/weights.bin"):
        missing(engine_in / "games" / name)
    answers = run_script(engine_in, *lines.splitlines())
    assert sum(line.startswith(words) for line in answers) == 1


def test_gtp_reports_damage_on_stderr(engine_in):
    missing(engine_in / "games" / "othello" / "weights.bin")
    done = run_python(
        engine_in / "engine.py",
        "--game",
        "othello",
        input="plyglot-param Genmove_Depth 2\ngenmove b\n",
    )
    assert done.stderr.startswith("othello/weights.bin is missing: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout.startswith("=\n\n= ")


@pytest.mark.parametrize("order", ["little", "big"])
def test_numbers_in_files_are_little_endian_on_every_machine(monkeypatch, order):
    numbers = array("h", [1, -2, 300])
    if order != sys.byteorder:  # store them as a machine with this byte order does
        numbers.byteswap()
    monkeypatch.setattr(sys, "byteorder", order)
    assert data.write_numbers(numbers) == b"\x01\x00\xfe\xff\x2c\x01"
    assert data.read_numbers("h", b"\x01\x00\xfe\xff\x2c\x01") == numbers
