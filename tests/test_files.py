"""The module through which scripts write files: no user's file is overwritten without --force."""
# Not in the fast part of scripts/test.

from __future__ import annotations

import ast
import os
import pathlib
import re
import subprocess
import sys

import pytest
import warm
from tables import rows
from tournaments import games, run

from scripts.jobs import files
from scripts.jobs.files import (
    FileError,
    GrowingFile,
    Output,
    ResultsFile,
    WriteError,
    check_distinct,
)

WORDS = [*"--game chess --engine name=a --engine name=b --depth 1 --max-plies 4".split()]
OWN = "my own text"  # without a line feed at the end
ROOT = pathlib.Path(__file__).resolve().parent.parent


# ---- Output ---------------------------------------------------------------------------


def test_an_output_of_an_earlier_run_is_replaced_unless_it_was_edited(tmp_path):
    path, left = tmp_path / "file", []
    Output(path).write(["one"], left.append)
    assert left == [files.stamp_of(path)]

    def is_ours(path):
        return files.stamp_of(path) in left

    Output(path, is_ours=is_ours).write(["two\n", b"more"], left.append)
    assert path.read_bytes() == b"two\nmore"
    with pytest.raises(
        FileError, match="file exists; name another file, or replace it with --force"
    ):
        Output(path)
    path.write_bytes(b"two\nmine")
    with pytest.raises(FileError, match="was edited since; name another file, or replace it with"):
        Output(path, is_ours=is_ours)
    Output(path, force=True).write(["three"])
    assert path.read_text() == "three" and os.listdir(tmp_path) == ["file"]


def test_an_interrupted_write_leaves_the_old_file_unchanged(tmp_path):
    def end(stamp):
        raise KeyboardInterrupt

    Output(tmp_path / "file").write(["one"])
    with pytest.raises(KeyboardInterrupt):
        Output(tmp_path / "file", force=True).write(["two"], end)
    assert (tmp_path / "file").read_text() == "one" and os.listdir(tmp_path) == ["file"]


def test_a_foreign_output_is_not_changed(tmp_path):
    path = tmp_path / "file"
    page = Output(path)
    path.write_text(OWN)  # the user creates the file after the check
    with pytest.raises(FileError):
        page.write(["ours"])
    with pytest.raises(FileError):
        Output(path)
    assert path.read_text() == OWN and os.listdir(tmp_path) == ["file"]
    path.unlink()

    def parts():
        path.write_text(OWN)  # the user creates the file during the write
        yield "ours"

    with pytest.raises(FileError):
        Output(path).write(parts())
    assert path.read_text() == OWN and os.listdir(tmp_path) == ["file"]


def test_an_output_is_rewritten_by_the_same_command(tmp_path):
    path = tmp_path / "picture.png"
    picture = Output(path)
    picture.write([b"1"])
    picture.write([b"2"])
    assert path.read_bytes() == b"2"
    with pytest.raises(FileError):
        Output(path)
    path.write_text(OWN)
    with pytest.raises(FileError):
        picture.write([b"3"])


def test_links_and_permissions_are_preserved(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    Output(path).write(["one"])
    path.chmod(0o640)
    link.symlink_to(path)
    Output(link, force=True).write(["two"])
    assert link.is_symlink()
    assert path.read_text().startswith("two")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path):
    path, other = tmp_path / "file", tmp_path / "other"
    other.write_text(OWN)
    files._fresh(path).symlink_to(other)
    Output(path).write(["one"])
    assert path.read_text() == "one" and other.read_text() == OWN and not path.is_symlink()


def test_a_name_that_leaves_no_room_for_a_temporary_suffix_is_refused(tmp_path):
    with pytest.raises(WriteError, match="File name too long"):
        Output(tmp_path / ("x" * 253))


def test_an_unwritable_place_is_reported(tmp_path):
    for place in (tmp_path, tmp_path / "none" / "x", tmp_path / "a\0b"):
        with pytest.raises(WriteError):
            Output(place)


# ---- paths ----------------------------------------------------------------------------


def test_two_spellings_of_one_path_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").touch()
    (tmp_path / "folder").mkdir()
    os.symlink("a", "soft")
    os.symlink("later", "dangling")
    os.symlink("folder", "way")
    for one, other in (
        ("a", "./a"),
        ("a", "soft"),
        ("x", "../" + tmp_path.name + "/x"),
        ("x", "X"),
        ("later", "dangling"),
        ("folder/x", "way/x"),
        ("none/x", "none/../none/x"),
    ):
        with pytest.raises(FileError, match="--one and --other must be different files"):
            check_distinct(("--one", one), ("--third", None), ("--other", other))
    (tmp_path / "b").touch()
    check_distinct(
        ("--one", "a"), ("--other", "b"), ("--third", "x"), ("--more", "folder/x"), ("--none", None)
    )


# ---- files that grow ------------------------------------------------------------------


def test_a_file_without_a_final_line_feed_is_replaced_only_with_force(tmp_path):
    path = tmp_path / "file"
    path.write_text(OWN)
    with pytest.raises(FileError, match="was not written by this program"):
        GrowingFile(path)
    assert path.read_text() == OWN
    file = GrowingFile(path, force=True)
    file.append("ours\n")
    file.close()
    assert path.read_text() == "ours\n"


def test_a_file_without_lines_is_removed(tmp_path):
    (tmp_path / "there").touch()
    for name in ("there", "new"):
        GrowingFile(tmp_path / name).close()
    assert os.listdir(tmp_path) == []


HOLDING = """
import sys
sys.path.insert(0, sys.argv[1])
from scripts.jobs.files import GrowingFile
file = GrowingFile(sys.argv[2])
file.append("x\\n")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_growing_file_has_one_writer_and_survives_killed_writers(tmp_path):
    path = tmp_path / "file"
    for number in range(10):
        command = [sys.executable, "-c", HOLDING, str(ROOT), str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
            assert writer.stdout.readline().strip() == b"held"
            assert files.is_held(path)
            with pytest.raises(FileError, match="file is being written by another process"):
                GrowingFile(path)
            writer.kill()
        assert not files.is_held(path) and path.read_text() == "x\n" * (number + 1)
    file = GrowingFile(path)
    file.append("y\n")
    assert [*file.lines()] == 10 * [b"x"] + [b"y"]
    file.close()
    assert path.read_text() == 10 * "x\n" + "y\n" and os.listdir(tmp_path) == ["file"]


def test_a_link_to_itself_is_refused(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match="loop: Too many levels of symbolic links"):
        GrowingFile(tmp_path / "loop")
    words = "loop: Too many levels of symbolic links"
    assert words in run(tmp_path, *WORDS, "--record", "loop", status=2)


def test_a_file_of_one_foreign_line_is_not_changed(tmp_path):
    path = tmp_path / "file"
    path.write_text('{"my": "notes"}\n')
    with pytest.raises(FileError, match="holds results for other settings"):
        ResultsFile(path, {"work": 1})
    kept = ResultsFile(path, {"work": 1}, force=True)
    kept.add({"id": "a"})
    kept.close()
    assert path.read_text().splitlines() == ['{"work":1}', '{"id":"a"}']


# ---- scripts/tournament ---------------------------------------------------------------


@pytest.mark.parametrize("words, named", rows("files.a_tournament_refuses_equal_paths"))
def test_a_tournament_refuses_equal_paths(tmp_path, words, named):
    (tmp_path / "match.pgn").write_text("1. e4 e5 *\n")
    (tmp_path / "link.pgn").symlink_to("match.pgn")
    assert f"{named} must be different files" in run(tmp_path, *WORDS, *words, "--force", status=2)
    assert (tmp_path / "match.pgn").read_text() == "1. e4 e5 *\n"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_pgn_beside_a_record_grows_with_it_unless_edited(tmp_path):
    words = [*WORDS, "--random-plies", "1", "--rounds"]
    pgn = tmp_path / "tournament.pgn"
    run(tmp_path, *words, "1")
    first = pgn.read_text()
    run(tmp_path, *words, "2")
    whole = pgn.read_text()
    assert whole.startswith(first) and whole.count("[Event ") == 4
    pgn.unlink()
    run(tmp_path, *words, "2")
    assert pgn.read_text() == whole
    mine = whole + OWN
    pgn.write_text(mine)
    assert "tournament.pgn exists and was not" in run(tmp_path, *words, "2", status=2)
    assert pgn.read_text() == mine
    run(tmp_path, *words, "2", "--force")
    assert pgn.read_text() == whole and len(games(tmp_path)) == 4


# ---- every script -----------------------------------------------------------------------


def script(folder, *words, status=0):
    """Run a script in a folder; return its error output."""
    found, said, wrong = warm.run(f"scripts/{words[0]}", *words[1:], cwd=folder)
    assert found == status, said + wrong
    return wrong


@pytest.mark.parametrize(
    "words, made", rows("files.no_script_overwrites_a_users_file"), ids=lambda value: value[0]
)
def test_no_script_overwrites_a_users_file(tmp_path, words, made):
    (tmp_path / "game.pgn").write_text("1. e4 *")
    (tmp_path / "game.sgf").write_text("(;GM[4];B[hh];W[ii])")
    script(tmp_path, *words)
    assert all(
        b"\r" not in (tmp_path / name).read_bytes()
        for name in made
        if not name.endswith((".pyz", ".weights"))
    )
    for name in made:
        for other in made:
            (tmp_path / other).unlink(missing_ok=True)
        (tmp_path / name).write_text(OWN)
        assert f"{name} exists" in script(tmp_path, *words, status=2)
        assert (tmp_path / name).read_text() == OWN
    (tmp_path / made[0]).write_text(OWN)
    script(tmp_path, *words, "--force")
    assert (tmp_path / made[0]).read_bytes() != OWN.encode()


def test_a_write_waits_for_a_program_that_has_the_file_open_briefly(tmp_path, monkeypatch):
    path, real = tmp_path / "file", os.replace
    refusals = [PermissionError(13, "Permission denied")] * 3

    def replace(*paths):
        if refusals:
            raise refusals.pop()
        real(*paths)

    output = Output(path)
    output.write(["one\n"])
    monkeypatch.setattr(os, "replace", replace)
    output.write(["two\n"])
    assert path.read_text().startswith("two\n") and not refusals
    monkeypatch.setattr(files, "_PAUSES", (0,))
    refusals[:] = [PermissionError(13, "Permission denied")] * 2
    with pytest.raises(WriteError, match="Permission denied"):
        output.write(["three\n"])
    assert path.read_text().startswith("two\n") and os.listdir(tmp_path) == ["file"]


def sources():
    """Return the Python programs of the project, without the tests."""
    folders = ("plyglot", "protocol", "search", "games", "scripts")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*"))]
    python = b"#!/usr/bin/env python3"
    return [ROOT / "engine.py"] + [
        path
        for path in paths
        if path.suffix == ".py" or path.is_file() and path.read_bytes().startswith(python)
    ]


def test_text_is_opened_with_an_encoding_and_written_with_line_feeds():
    for path in sources():
        for call in ast.walk(ast.parse(path.read_bytes())):
            name = ast.unparse(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
            if name not in ("open", "read_text", "write_text"):
                continue
            if name != "open" and isinstance(call.func, ast.Name):
                continue  # a function of the project that is named like a method
            words = {word.arg for word in call.keywords}
            texts = [str(each.value) for each in call.args if isinstance(each, ast.Constant)]
            modes = [text for text in texts if re.fullmatch("[rwaxbt+]+", text)]
            mode = modes[0] if modes else "r"
            # Is this a method that opens no file, such as Session.open()?
            other = ast.unparse(call.func).endswith(".open") and not modes
            binary = other or "b" in mode or "devnull" in ast.unparse(call)
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            assert name != "write_text" and (binary or "encoding" in words), place
            assert binary or not set(mode) & set("wax+") or "newline" in words, place
