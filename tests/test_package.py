"""scripts/package: the whole engine in one file, which runs from any directory."""
# Not in the fast part of scripts/test.

import os
import pathlib
import re
import zipfile

import pytest
from conftest import run_python
from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent


def package(*arguments, status=0):
    """Run scripts/package; return its output."""
    done = run_python(ROOT / "scripts" / "package", *arguments, cwd="/")
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
    done = run_python(
        file,
        *arguments,
        input="".join(line + "\n" for line in lines),
        cwd=cwd,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


def steady(lines):
    """Return lines without the parts that differ between runs."""
    return [
        re.sub(r" (nps|time) \d+", "", line)
        for line in lines
        if "Nodes/second" not in line and not line.startswith("info currmove")
    ]


def test_an_archive_replaces_an_earlier_one_and_no_other_file(tmp_path, packed):
    again, other = tmp_path / "again.pyz", tmp_path / "other.pyz"
    again.write_bytes(packed.read_bytes())
    os.utime(again, (0, 0))
    other.write_bytes(b"mine")
    assert package("-o", again).startswith(f"{again}: ")
    assert again.stat().st_mtime and again.read_bytes() == packed.read_bytes(), (
        "builds are reproducible"
    )
    assert "exists and was not written by this command" in package("-o", other, status=2)
    assert other.read_bytes() == b"mine"


@pytest.mark.parametrize("game, position", rows("package.the_data_files_of_the_games_are_included"))
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


def test_an_archive_accepts_the_engines_arguments(packed):
    assert session(packed, [], "--version")[0].startswith("Plyglot ")
    assert session(packed, [], "--game", "tictactoe", "go", "depth", "9")[-1].startswith(
        "bestmove P@"
    )
    nim = str(ROOT / "tests" / "plugins" / "nim.py")
    lines = ["setoption name UCI_Variant value nim", "go depth 3"]
    for answers in (
        session(packed, lines, "--plugin", nim),
        session(packed, lines, PLYGLOT_PLUGINS=nim),
    ):
        assert answers[-1].startswith("bestmove 0-")


def test_the_archive_is_executable_from_any_directory(packed):
    if os.name == "posix":
        assert os.access(packed, os.X_OK)
        assert packed.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    assert session(packed.name, ["uci"], cwd=packed.parent)[-1] == "uciok"


def test_other_interpreters_run_the_archive_from_its_sources(packed, tmp_path):
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


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-o", "/dev/null/plyglot.pyz"], "can't write /dev/null/plyglot.pyz"),
        (["--unknown"], "--unknown"),
    ],
)
def test_bad_arguments_are_refused(arguments, words):
    assert words in package(*arguments, status=2)
