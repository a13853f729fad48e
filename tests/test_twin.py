"""The C++ twin of the chess search (scripts/lab/twin) finds the same nodes and lines."""

import random
import re
import shutil
import subprocess

import pytest
from chess_weights import in_use, random_content
from conftest import ROOT

from games import registry
from games.chess.tables import CASTLING
from scripts.arena.elo import elo_interval
from scripts.pinned import PINNED, Question, answers, questions

SOURCE, DATA = ROOT / "scripts" / "lab" / "twin" / "twin.cpp", ROOT / "games" / "chess"
BUILD = ["-std=c++20", "-O0", "-pthread"]
POSITIONS = 200


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    """Return twin(*arguments, asked), which runs the twin built by the available compiler."""
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
    subprocess.run([compiler, *BUILD, SOURCE, "-o", folder / "twin"], check=True)

    def run(*arguments, asked=""):
        return subprocess.run(
            [folder / "twin", *arguments], input=asked, capture_output=True, text=True, timeout=60
        )

    return run


def chess_questions():
    """Return the lines of tests/data/pinned.txt that ask about chess."""
    found, chess = [], False
    for line in PINNED.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            chess = line.startswith("chess |") or chess and line.startswith("+")
            found += [line] if chess else []
    return found


def positions():
    """Return questions about random positions, in one session; half of them with the moves."""
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


def test_searches_with_king_zones_and_mirrored_views_are_the_same(twin, tmp_path):
    file, asked = tmp_path / "network.bin", chess_questions()[:4] + positions()[:30]
    file.write_bytes(random_content())
    words = ["search", DATA, f"network={file}"]
    found = twin(*words, asked="\n".join(asked) + "\n").stdout.splitlines()
    with in_use(random_content()):
        assert found == [text for group in questions(asked) for text in answers(group)]


def test_a_match_is_judged_like_a_tournament(twin):
    words = ["match", DATA, "nodes=30", "games=8", "seed=3", "plies=6", "rfp_margin=20"]
    last = twin(*words).stdout.splitlines()[-1]
    assert last.startswith("8 games: ") and last.endswith("undecided")
    counts = list(map(int, re.search(r"pairs (\S+), LLR", last)[1].split(",")))
    assert 8 == 2 * sum(counts)
    assert float(re.search(r"Elo ([-+.\d]+)", last)[1]) == pytest.approx(
        elo_interval(counts)[0], abs=0.06
    )


def test_equal_players_share_the_points(twin):
    words = ["match", DATA, "nodes=40", "games=4", "plies=6"]
    assert "pairs 0,0,2,0,0" in twin(*words).stdout.splitlines()[-1]
    same = f"network={DATA / 'network.bin'}"
    assert "pairs 0,0,2,0,0" in twin(*words, same, "against", same).stdout.splitlines()[-1]


def test_each_player_of_a_match_may_have_a_network_of_its_own(twin, tmp_path):
    file = tmp_path / "network.bin"
    file.write_bytes(random_content())
    words = ["match", DATA, "nodes=60", "games=4", "plies=6"]
    last = twin(*words, "against", f"network={file}").stdout.splitlines()[-1]
    assert re.search(r"pairs 0,0,0,[0-2],[0-2],", last), last


def test_a_match_continues_an_earlier_one(twin):
    words = ["match", DATA, "nodes=40", "plies=6", "threads=2"]
    last = twin(*words, "games=204", "after=1,20,30,40,10").stdout.splitlines()[-1]
    assert last.startswith("204 games: ") and "pairs 1,20,31,40,10" in last
    decided = twin(*words, "games=20000", "after=0,20,30,400,10").stdout.splitlines()
    assert len(decided) == 1 and decided[0].endswith("passed")


def test_two_alternating_searches_are_deterministic(twin):
    words, asked = ["threads", DATA, "depth=5"], "start\nstart moves e2e4 e7e5 g1f3\n"
    found = twin(*words, asked=asked).stdout
    assert re.fullmatch(
        r"2 positions: two are \d\.\d+ times as fast \(.+\), with \d\.\d+ times the nodes\n", found
    )
    assert twin(*words, asked=asked).stdout == found


@pytest.mark.parametrize(
    "words, fault",
    [
        (["match", DATA, "rzor_margin=3"], "unknown idea: rzor_margin=3"),
        (["search", ROOT / "docs"], "can't read"),
        (["search", DATA, f"network={DATA / 'kpk.bin'}"], "is damaged"),
        (["play"], "usage: "),
    ],
)
def test_invalid_arguments_are_explained(twin, words, fault):
    result = twin(*words)
    assert result.returncode and fault in result.stderr
