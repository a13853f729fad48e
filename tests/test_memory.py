"""The memory of the engine and of its helpers does not grow from search to search."""

import os
import random
import sys
from pathlib import Path

import pytest
from conftest import children, wait_until

from games import registry

ROLLUP = Path("/proc/self/smaps_rollup")
WARM_UP, SEARCHES = 40, 120
GAMES, PLIES = 2, 30
PYPY = sys.implementation.name == "pypy"
# In megabytes: the size of the interpreter itself, and the growth of its compiled code.
INTERPRETER, COMPILED = (50, 12) if PYPY else (0, 0)
NURSERY = {"PYPY_GC_NURSERY": "1MB"}  # PyPy's default depends on the processor's cache


def memory(pid, kind):
    """Return the size in megabytes of one kind of a process's memory.

    Private_Dirty: private pages that were written.  Pss: all pages; a page that n processes share
    counts as 1/n.
    """
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{kind}:")).split()[1]) / 1024


def play_game(engine, game, seed):
    """Let the engine play a game with itself after four random plies."""
    rng, position, moves = random.Random(seed), game.start({}), []
    while len(moves) < PLIES and position.legal_moves():
        if len(moves) < 4:
            move = rng.choice(position.legal_moves())
        else:
            engine.send(f"position startpos moves {' '.join(moves)}")
            answer = engine.ask("go nodes 100", "bestmove .*")[-1].split()[1]
            move = position.parse_move(answer.replace("P@", ""))
        moves.append(position.move_text(move))
        position.make(move)


def start_helper(engine):
    """Search until the second process takes part."""
    engine.send("go infinite")
    # A helper leads its own process group as soon as it runs Plyglot's code.
    pid = engine.process.proc.pid
    wait_until(lambda: [child for child in children(pid) if os.getpgid(child) == child])
    engine.ask("stop", "bestmove .*")


def check_growth(engine, game, most, *setup):
    """Check that no process grows by `most` MB or more in searches; send `setup` before each."""
    engine.send(
        f"setoption name UCI_Variant value {game}",
        "setoption name Hash value 1",
        "setoption name Threads value 2",
    )
    engine.ask("isready", "readyok")
    start_helper(engine)
    sizes = []
    for count in (WARM_UP, SEARCHES):
        for _ in range(count):
            engine.send(*setup)
            engine.ask("go nodes 100", "bestmove .*")
        engine.ask("isready", "readyok")
        pid = engine.process.proc.pid
        sizes.append([memory(process, "Private_Dirty") for process in [pid, *children(pid)]])
    before, after = sizes
    assert len(before) == len(after) == 2
    assert all(late - early < most + COMPILED for early, late in zip(before, after)), sizes


ONLY_LINUX = pytest.mark.skipif(
    not ROLLUP.exists(), reason="only Linux reports the private memory of a process"
)


@ONLY_LINUX
@pytest.mark.parametrize("name", ["chess", "gomoku", "renju"])
def test_each_process_uses_at_most_the_hash_plus_60_megabytes(start, name):
    engine, megabytes = start(env=NURSERY), 16
    engine.send(
        "uci",
        f"setoption name UCI_Variant value {name}",
        f"setoption name Hash value {megabytes}",
        "setoption name Threads value 2",
    )
    engine.ask("isready", "readyok")
    start_helper(engine)
    # The tables of Othello must be released when the game changes back.
    engine.send("setoption name UCI_Variant value othello")
    engine.ask("go nodes 2000", "bestmove .*")
    engine.send(f"setoption name UCI_Variant value {name}")
    for seed in range(GAMES):
        engine.send("ucinewgame")
        play_game(engine, registry.get(name), seed)
    engine.settle()
    pid = engine.process.proc.pid
    sizes = [memory(process, "Pss") for process in [pid, *children(pid)]]
    assert len(sizes) == 2 and max(sizes) <= megabytes + 60 + INTERPRETER, sizes


@ONLY_LINUX
@pytest.mark.parametrize(
    "game, moves, most", [("chess", "e2e4 e7e5", 3.0), ("gomoku", "P@h8 P@h9 P@g8", 8.0)]
)
def test_searches_do_not_leak_memory_in_the_engine_or_a_helper(start, game, moves, most):
    """Allow growth below `most` megabytes: Gomoku, for example, is still filling its maps."""
    check_growth(start(env=NURSERY), game, most, f"position startpos moves {moves}")


@ONLY_LINUX
def test_new_games_free_the_solvers_of_earlier_ones(start):
    check_growth(start(env=NURSERY), "connect4", 2.0, "ucinewgame", "position startpos")
