"""docs/how-it-thinks.md: its pictures, transcripts, numbers and names are up to date."""
# Not in the fast part of scripts/test.

import re
import subprocess
import sys

import pytest
from conftest import ROOT
from transcripts import check, output, transcripts

from games import registry
from scripts.drawing.figure import Figure
from search.textbook import minimax

PAGE = (ROOT / "docs" / "how-it-thinks.md").read_text(encoding="utf-8")
SHOWN = transcripts(PAGE)


def test_the_pictures_are_up_to_date(tmp_path):
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    for command in commands.splitlines():
        subprocess.run(
            f'"{sys.executable}" {command}', shell=True, cwd=tmp_path, check=True, timeout=120
        )
    drawn = {
        path.name: path.read_text(encoding="utf-8")
        for path in (tmp_path / "docs" / "pictures").iterdir()
    }
    shown = set(re.findall(r"\(pictures/(\S+?)\)", PAGE))
    assert set(drawn) == shown and len(shown) == 9
    for name in shown:
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == drawn[name], (
            f"draw {name} again"
        )


@pytest.mark.parametrize("command, shown", SHOWN, ids=[command for command, _ in SHOWN])
def test_the_transcripts(command, shown):
    check(command, shown)


def test_the_figures_for_tictactoe_are_right():
    whole, lost = (output(command).splitlines() for command, _ in SHOWN if "tictactoe" in command)
    assert " score cp 0 " in whole[-2] and len(whole) == 10
    nodes = int(re.search(r" nodes (\d+) ", whole[-2]).group(1))
    assert nodes < visited(prune=True)
    assert f"{visited(prune=True):,}" in PAGE
    assert f"{visited(prune=False):,}" in PAGE
    assert " score mate -2 " in lost[0]


def visited(prune):
    """Return the number of positions of tic-tac-toe that the lecture's algorithms visit."""
    count = [0]
    minimax(
        registry.get("tictactoe").start({}),
        None,
        lambda *visit: count.__setitem__(0, count[0] + 1),
        prune,
    )
    return count[0]


def test_the_figures_for_the_worst_order_are_right():
    assert "28 nodes instead of 18" in PAGE
    worst = re.search(r'"(\S*\(\(14 14\).*?)"', PAGE).group(1)
    assert len(Figure(registry.get("tree").parse(worst, {}), prune=True).visits) == 28


def test_every_file_named_on_the_page_exists():
    for name in re.findall(r"\]\((?!http|#)([^)]+)\)", PAGE):
        assert (ROOT / "docs" / name).exists(), name
