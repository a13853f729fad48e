"""The C++ programs of the lab (scripts/lab/twin) agree with the engine in Python."""
# Not in the fast part of scripts/test.

import random
import re
import shutil
import subprocess

import pytest
from conftest import ROOT
from pinned import PINNED, Question, answers

from games import registry
from games.chess import evaluation
from games.chess.tables import CASTLING
from games.chess.weights import read_weights
from scripts.arena.elo import elo_interval

SOURCES, DATA = ROOT / "scripts" / "lab" / "twin", ROOT / "games" / "chess"
BUILD = ["-std=c++20", "-O0", "-pthread"]
POSITIONS = 80


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Return build(name), which compiles a program and returns run(*arguments, asked)."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        pytest.skip("there is no C++ compiler to build the twin")
    folder = tmp_path_factory.mktemp("twin")
    probe = folder / "probe.cpp"
    probe.write_text("#include <bit>\nint main() { return std::countr_zero(1u); }\n")
    if subprocess.run(
        [compiler, *BUILD, probe, "-o", folder / "probe"], capture_output=True
    ).returncode:
        pytest.skip(f"{compiler} does not know C++20")

    def build(name):
        program = folder / name
        subprocess.run([compiler, *BUILD, SOURCES / f"{name}.cpp", "-o", program], check=True)

        def run(*arguments, asked=""):
            return subprocess.run(
                [program, *arguments], input=asked, capture_output=True, text=True, timeout=60
            )

        return run

    return build


@pytest.fixture(scope="module")
def twin(build):
    return build("twin")


@pytest.fixture(scope="module")
def fit(build):
    return build("fit")


def chess_questions():
    """Return the lines of tests/data/pinned.txt with questions about chess."""
    found, chess = [], False
    for line in PINNED.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            chess = line.startswith("chess |") or chess and line.startswith("+")
            found += [line] if chess else []
    return found


def positions():
    """Return questions about random positions, for one session.

    Every second question gives the moves from the start, not the position's text.
    """
    dice, game, found = random.Random("twin"), registry.get("chess"), []
    while len(found) < POSITIONS:
        position, played = game.start({}), []
        for _ in range(dice.randrange(4, 160)):
            moves = position.legal_moves()
            if moves:
                move = dice.choice([move for move in moves if move & CASTLING] or moves)
                played.append(position.move_text(move))
                position.make(move)
        if position.outcome() is None:
            where = f"start moves {' '.join(played)}" if len(found) % 2 else position.text()
            found.append(
                f"{'+' if found else 'chess'} | {where} | depth {dice.choice((2, 3, 4))} |"
            )
    return found


def test_pinned_searches_are_the_same(twin):
    asked = chess_questions()
    found = twin("search", DATA, asked="\n".join(asked) + "\n").stdout.splitlines()
    assert found == [line.rpartition("|")[2].strip() for line in asked] and len(found) > 20


def test_searches_of_many_positions_are_the_same(twin):
    asked = positions()
    found = twin("search", DATA, asked="\n".join(asked) + "\n").stdout.splitlines()
    assert found == answers([Question(line) for line in asked])


def test_a_match_is_judged_like_a_tournament(twin):
    words = ["match", DATA, "nodes=30", "games=8", "seed=3", "plies=6", "rfp_margin=20"]
    last = twin(*words).stdout.splitlines()[-1]
    assert last.startswith("8 games: ") and last.endswith("undecided")
    counts = list(map(int, re.search(r"pairs (\S+), LLR", last)[1].split(",")))
    assert 8 == 2 * sum(counts)
    assert float(re.search(r"Elo ([-+.\d]+)", last)[1]) == pytest.approx(
        elo_interval(counts)[0], abs=0.06
    )


@pytest.mark.parametrize(
    "words, fault",
    [
        (["match", DATA, "rzor_margin=3"], "unknown idea: rzor_margin"),
        (["tune", DATA, "rzor_margin:3"], "unknown idea: rzor_margin"),
        (["search", ROOT / "docs"], "can't read"),
        (["search", DATA, f"network={DATA / 'kpk.bin'}"], "is damaged"),
        (["play"], "usage: "),
    ],
)
def test_invalid_arguments_of_the_twin_are_explained(twin, words, fault):
    result = twin(*words)
    assert result.returncode and fault in result.stderr


def test_fit_reads_the_network_as_the_engine_does(fit, tmp_path):
    positions = list(evaluated_positions())
    for fewest, most in ((28, 32), (22, 27), (15, 21), (7, 14)):
        data = tmp_path / "data.txt"
        some = [line for count, line in positions if fewest <= count <= most]
        data.write_text("".join(some))
        words = [
            "held_out=1",
            "epochs=0",
            f"pieces={fewest},{most}",
            f"from={DATA / 'network.bin'}",
        ]
        found = fit("learn", data, tmp_path / "none", *words).stdout
        assert found == f"{len(some)} positions, loss 0.000\n" and len(some) > 10


def test_fit_reads_the_network_of_a_variant(fit, tmp_path):
    data = tmp_path / "data.txt"
    data.write_text("".join(line for _, line in evaluated_positions("horde")))
    network = DATA / "variants" / "horde.bin"
    found = fit("learn", data, tmp_path / "none", "held_out=1", "epochs=0", f"from={network}")
    assert found.stdout.endswith(" positions, loss 0.000\n")


def evaluated_positions(name="chess"):
    """Yield (number of pieces, line of training data with the engine's static evaluation)."""
    dice, game = random.Random("fit"), registry.get(name)
    for _ in range(4):
        position = game.start({})
        while position.outcome() is None and position.squares.count(0) < 58:
            board = " ".join(position.text().split()[:2])
            score = position.evaluate()
            yield 64 - position.squares.count(0), f"{board} | {score} | 0.5\n"
            moves = position.legal_moves()
            captures = [move for move in moves if position.squares[move >> 6 & 63]]
            position.make(dice.choice(captures or moves))


def test_fit_learns_and_the_engine_reads_what_it_writes(fit, tmp_path):
    data, network = tmp_path / "data.txt", tmp_path / "network.bin"
    data.write_text("".join(line for _, line in evaluated_positions()) * 100)
    words = ["learn", data, tmp_path / "all", "epochs=12", "units=32"]
    losses = re.findall(r"loss on held-out positions (\S+),", fit(*words).stdout)
    assert len(losses) == 12 and float(losses[-1]) < float(losses[0])
    fit("write", network, tmp_path / "all")
    ours = evaluation.ChessNetwork(read_weights(network.read_bytes()))
    pieces = registry.get("chess").start({}).pieces
    assert ours.score(ours.accumulate(pieces), 0) == ours.score(ours.accumulate(pieces), 1)


@pytest.mark.parametrize(
    "words, fault",
    [
        (["learn", "data.txt", "all", "unts=32"], "unknown: unts"),
        (["learn", "data.txt", "all", "units=33"], "units must be a multiple of 32"),
        (["learn", "none.txt", "all"], "can't read none.txt"),
        (["write", "network.bin", "none"], "can't read none"),
        (["fit"], "usage: "),
    ],
)
def test_invalid_arguments_of_fit_are_explained(fit, words, fault):
    result = fit(*words)
    assert result.returncode and fault in result.stderr
