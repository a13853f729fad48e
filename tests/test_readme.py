"""The README's commands do what the transcripts under them show; the documents name existing files."""
# Not in the fast part of scripts/test.

import os
import re
import sys

import pexpect
import pytest
from conftest import ROOT
from transcripts import check, check_moves, position_of, shape, transcripts

from games import registry

PAGES = sorted(
    [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").rglob("*.md")]
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = [(command, shown) for command, shown in transcripts(README) if "engine.py" in command]
if "nim" not in registry.names():
    registry.load_plugin(str(ROOT / "tests" / "plugins" / "nim.py"))


@pytest.mark.parametrize("command, shown", SHOWN, ids=[command for command, _ in SHOWN])
def test_commands_print_what_is_shown(command, shown):
    check(command, shown)


FIRST = re.search(r"```sh\n(.*?)```", README, re.DOTALL)[1].splitlines()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize(
    "line, shown",
    [(FIRST[0], r"http://127\.0\.0\.1:\d+/"), (FIRST[1], "begin"), (FIRST[-1], "bestmove [a-h]")],
    ids=("board", "play", "engine"),
)
def test_the_first_commands_work(line, shown, tmp_path):
    environment = {**os.environ, "BROWSER": "true", "XDG_STATE_HOME": str(tmp_path)}
    line = line.replace("python3", f'"{sys.executable}"')
    with pexpect.spawn(
        "sh", ["-c", line], cwd=str(ROOT), encoding="utf-8", timeout=60, env=environment
    ) as child:
        child.expect(shown)
        child.sendintr()
        child.expect(pexpect.EOF)


def test_every_kind_of_transcript_is_present():
    games = [re.search(r"--game (\w+)|$", command).group(1) for command, _ in SHOWN]
    assert sorted(filter(None, games)) == ["nim", "tictactoe", "tree"] and games[0] is None


LINE = "info depth 1 seldepth 1 multipv 1 score cp -47 nodes 20 nps 2 hashfull 0 tbhits 0 time 8 pv e7e5 g1f3\n"


def test_tuning_does_not_change_the_shape_of_a_transcript():
    other = LINE.replace("-47", "12").replace("nodes 20", "nodes 31").replace("e7e5", "d7d5")
    assert shape(LINE + "bestmove e7e5 ponder g1f3") == shape(other + "bestmove d7d5")
    for changed in (
        LINE.replace("cp -47", "mate 3"),
        LINE.replace("depth 1 ", "depth 2 "),
        LINE + LINE,
        LINE.replace(" time 8", ""),
    ):
        assert shape(changed) != shape(LINE)


@pytest.mark.parametrize(
    "text",
    [LINE + "bestmove d7d5", LINE + "bestmove e7e5 ponder b1c3", LINE.replace("g1f3", "e1e3")],
)
def test_illegal_moves_in_a_transcript_are_detected(text):
    position = position_of(
        "printf 'position startpos moves e2e4\\ngo depth 1\\n' | python3 engine.py"
    )
    check_moves(position, LINE + "bestmove e7e5 ponder g1f3")
    with pytest.raises((AssertionError, ValueError)):
        check_moves(position, text)


def test_transcripts_are_short():
    assert max(len(shown.splitlines()) for _, shown in transcripts(README)) <= 8


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_and_files_exist(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert target.startswith("https://") or (page.parent / target).exists(), target
    for name in re.findall(
        r"`((?:games|search|protocol|scripts|tests|docs|plyglot)/[\w./-]*)`", text
    ):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"(?<![\w/])scripts/\w+(?:/\w+)*(?:\.[a-z]+)?", text):
        assert (ROOT / name).exists(), f"no such command: {name}"
    for target in re.findall(r"\]\(#([^)]+)\)", text):
        assert target in map(anchor, re.findall(r"^#+ (.*)$", text, re.M)), target


def anchor(heading):
    """Return the anchor that a code host makes from a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_map_names_existing_folders():
    for name in ("engine.py", "protocol", "search", "games", "plyglot", "scripts", "tests", "docs"):
        assert re.search(rf"^{name}", README, re.M) and (ROOT / name).exists()
