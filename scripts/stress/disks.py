"""Failing files: full disks, pipes instead of files, damaged books, records and data."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from random import Random

from scripts.stress.case import Case, Failure
from scripts.stress.fuzz import noise
from scripts.stress.records import SAMPLES, damaged
from scripts.stress.sessions import TABLES, WIRES
from scripts.stress.subject import ROOT

# Write no compiled code: a disk that gets full during that is not what we test.
_QUIET = {"PYTHONDONTWRITEBYTECODE": "1"}
_TWO_ENGINES = "--engine name=a --engine name=b --depth 1 --rounds 1"
_COMPLAINT = r"(scripts/[a-z_0-9]+): [^\n]+ \(see \1 --help\)\n"


def run(case: Case) -> None:
    """Test writing where it fails, or reading a damaged file."""
    case.dice.choice((_log, _log, _output, _output, _input, _input, _book, _data))(case)


# ---- nothing can be written ----------------------------------------------------------


def _log(case: Case) -> None:
    """Check that a conversation continues without its log."""
    path, before = _bad_output(case)
    subject = case.engine("--log", path, before=before, env=_QUIET)
    protocol = case.dice.choice(list(WIRES))
    wire = WIRES[protocol]
    case.count("logs")
    refused = not os.path.exists(path) or os.path.isdir(path) or path.endswith(".fifo")
    line, answer = wire.sync(10**7)
    if refused:
        subject.close_input()
        subject.leave((2,))
        return
    subject.send(wire.greeting, *wire.lines(case.dice, 40))
    subject.send(*wire.stop * 40, line)
    subject.expect(lambda said: said == answer, answer)
    subject.finish(wire.farewell, quiet=False)
    count = subject.errors().count("engine.py: ")
    if count > 1:
        raise Failure(f"it reports {count} times that its log failed")


def _output(case: Case) -> None:
    """Check that a script reports in one line that it can't write its file or its output."""
    path, before = _bad_output(case, pipes=False)  # a script may wait for the reader of its pipe
    record = SAMPLES[0].with_name("games.pgn")
    _script(case, "scripts that write", before, path=path, record=record)


def _bad_output(case: Case, pipes: bool = True) -> tuple[str, Callable[[], None] | None]:
    """Return (path of a file that fails at once or later, function for the new process)."""
    kind = case.dice.choice(("full", "small", "small", "folder", "missing") + ("fifo",) * pipes)
    path = str(case.folder / "out")
    before: Callable[[], None] | None = None
    if kind == "full" and os.path.exists("/dev/full"):
        path = "/dev/full"
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "missing":
        path = str(case.folder / "none" / "out")
    elif kind == "fifo":
        path += ".fifo"
        os.mkfifo(path)
    else:
        open(path, "wb").close()
        size = case.dice.choice((1, 100, 700, 3000))

        def limit() -> None:
            import resource  # not on Windows

            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        before = limit

    return path, before


def _script(
    case: Case, table: str, before: Callable[[], None] | None = None, **names: object
) -> None:
    """Run a script of the project, which must succeed or print one line of error."""
    case.count("scripts")
    _, line = case.dice.choice(TABLES[table])
    command, _, typed = line.format(engines=_TWO_ENGINES, **names).partition(" < ")
    script, *words = shlex.split(command)
    subject = case.engine(*words, script=str(ROOT / "scripts" / script), before=before, env=_QUIET)
    try:
        subject.send(*typed.split("; "))
        subject.close_input()
    except Failure:  # it reported an error before it read that
        pass
    subject.leave((0, 1, 2))
    subject.check(quiet=False)
    errors = subject.errors()
    if subject.status and before is None and not re.search(_COMPLAINT + r"\Z", errors):
        raise Failure(f"it ended with {subject.status} and wrote {errors[-500:]!r}")


# ---- what is read is damaged ---------------------------------------------------------


def _input(case: Case) -> None:
    """Check that a damaged record or book is read as far as possible, or refused in a line."""
    sample = case.dice.choice([*SAMPLES, None])
    path = case.folder / ("in" + (sample.suffix if sample else ".bin"))
    path.write_bytes(_damaged(case.dice, sample.read_bytes() if sample else _book_bytes()))
    game = case.dice.choice(("chess", "othello", "gomoku", "tictactoe"))
    _script(case, "scripts that read", path=path, game=game)


def _book(case: Case) -> None:
    """Check that the engine plays legal moves despite a damaged book."""
    path = case.folder / "book.bin"
    if case.dice.random() < 0.2:
        os.mkfifo(path)
    else:
        path.write_bytes(_damaged(case.dice, _book_bytes()))
    case.count("books")
    subject = case.engine(env=_QUIET)
    subject.send(f"setoption name BookFile value {path}")
    for moves in ("", " moves e2e4", " moves d2d4 d7d5"):
        _, number = subject.ask("position startpos" + moves, "go nodes 50", answer="bestmove")
        best = subject.said()[number].split()[1]
        subject.ask(f"position startpos{moves or ' moves'} {best}", "isready", answer="readyok")
        if any("illegal" in line or "is not a legal" in line for line in subject.said(number)):
            raise Failure(f"{subject.said(number)[0]} is not legal")
    subject.finish()


def _book_bytes() -> bytes:
    """Return the moves e2e4 and e7e5 of a Polyglot book, several times each."""
    entries = ((0x463B96181691FC9C, 0x031C), (0x823C9B50FD114196, 0x0D24))
    return b"".join(
        key.to_bytes(8, "big") + move.to_bytes(2, "big") + bytes((0, 1, 0, 0, 0, 0))
        for key, move in entries
    )


def _data(case: Case) -> None:
    """Check that each game is playable with a damaged data file."""
    compiled = shutil.ignore_patterns("__pycache__")
    for name in ("games", "search", "protocol"):
        shutil.copytree(ROOT / name, case.folder / name, ignore=compiled)
    shutil.copy(ROOT / "engine.py", case.folder)
    path = case.dice.choice(sorted(case.folder.glob("games/*/*.bin")))
    path.write_bytes(_damaged(case.dice, path.read_bytes()))
    case.count("data files")
    subject = case.engine(script=str(case.folder / "engine.py"), env=_QUIET)
    subject.send(f"setoption name UCI_Variant value {path.parent.name}")
    for position in (
        "startpos",
        "fen 8/4P3/4K3/8/8/8/8/k7 w - - 0 1",
        "fen 8/8/3k4/8/8/5N2/3B4/4K3 w - - 0 1",
        "startpos moves 4 4 4 4",
        "startpos moves f5 d6",
    ):
        subject.ask(f"position {position}", "go nodes 300", answer="bestmove")
    subject.finish()


def _damaged(dice: Random, data: bytes) -> bytes:
    """Return damaged bytes: emptied, replaced, or with some random errors."""
    kind = dice.randrange(6)
    if kind < 2:
        return noise(dice) * dice.choice((1, 40)) * kind
    return damaged(dice, data)
