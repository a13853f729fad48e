"""docs/how-it-thinks.md: its pictures, transcripts, numbers and names are up to date."""
# Not in the fast part of scripts/test.

import re
import shlex

import pytest
import warm
from conftest import ROOT
from transcripts import check, transcripts

from games import registry
from scripts.browser.lesson import LESSONS
from scripts.drawing.picture import Picture
from scripts.drawing.traced import searched
from search.negamax import Negamax
from search.textbook import minimax

PAGE = (ROOT / "docs" / "how-it-thinks.md").read_text(encoding="utf-8")
SHOWN = transcripts(PAGE)
BY_NAME = {lesson.name: lesson for lesson in LESSONS}
DEEPENING, HORIZON = BY_NAME["Iterative deepening"], BY_NAME["Horizon and quiescence"]


def test_the_pictures_are_up_to_date(tmp_path):
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    shown = set(re.findall(r"\(pictures/(\S+?)\)", PAGE))
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    for name in shown:  # a checkout has old pictures, which the commands must replace
        (tmp_path / "docs" / "pictures" / name).write_text("an old picture")
    for command in commands.splitlines():
        status, _, wrong = warm.run(*shlex.split(command), cwd=tmp_path)
        assert status == 0, wrong
    drawn = {
        path.name: path.read_text(encoding="utf-8")
        for path in (tmp_path / "docs" / "pictures").iterdir()
    }
    assert set(drawn) == shown and len(shown) == 14
    for name in shown:
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == drawn[name], (
            f"draw {name} again"
        )


@pytest.mark.parametrize("command, shown", SHOWN, ids=[command for command, _ in SHOWN])
def test_the_transcripts_are_up_to_date(command, shown):
    check(command, shown)


def test_the_figures_for_tictactoe_are_right():
    whole, lost = (shown.splitlines() for command, shown in SHOWN if "--game tictactoe" in command)
    assert " score cp 0 " in whole[-2] and len(whole) == 10
    nodes = int(re.search(r" nodes (\d+) ", whole[-2]).group(1))
    assert nodes < visited(prune=True)
    assert f"{visited(prune=True):,}" in PAGE
    assert " score mate -2 " in lost[0]


def visited(prune):
    """Return the number of positions of tic-tac-toe that textbook minimax visits.

    prune: whether alpha-beta prunes.
    """
    visits = []
    start = registry.get("tictactoe").start({})
    minimax(start, visit=lambda *visit: visits.append(visit), prune=prune)
    return len(visits)


def search_of(body):
    """Return (position, depth, algorithm) of a lesson's picture."""
    options = {option.name: option.default for option in registry.options()}
    game = registry.get(body.get("game", "tree"))
    text = body.get("start") or body["tree"]
    position = game.start(options) if text == "startpos" else game.parse(text, options)
    return position, body.get("depth"), body.get("algorithm", "alphabeta")


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
def test_the_figures_of_the_lessons_are_right(lesson):
    for caption, body in lesson.pictures:
        figure = searched(*search_of(body))
        said = caption.rpartition(": ")[2]
        visits, value = len(figure.visits), Picture(figure).replay.value_words(figure.root)
        assert said in (f"{visits} nodes", f"{visits} of {len(figure.items)} nodes", value), caption
        text = body.get("start") or body["tree"]
        assert text == "startpos" or f'"{text}"' in PAGE, f"the page shows the tree of {caption}"


def test_earlier_iterations_order_the_moves_of_the_last_iteration():
    position, depth, _ = search_of(dict(DEEPENING.pictures[1][1]))
    search, nodes = Negamax(position, ("table", "killers")), []
    for iteration in range(1, depth + 1):
        before = search.nodes
        search.value(iteration)
        nodes.append(search.nodes - before)
    assert sum(nodes[:-1]) == 11 and nodes[-1] == 12
    assert "depths 1 and 2 first costs 11 nodes" in DEEPENING.text


def test_a_search_of_two_plies_errs_at_the_horizon():
    position = search_of(HORIZON.pictures[0][1])[0]

    def best(depth, techniques):
        search = Negamax(position, techniques)
        search.value(depth)
        return position.notation(search.lines[0][0])

    assert best(2, ()) == "f5"
    assert best(2, ["quiescence"]) == "Kb2" == best(7, ["table", "killers", "quiescence"])


def test_every_file_named_on_the_page_exists():
    for name in re.findall(r"\]\((?!http|#)([^)]+)\)", PAGE):
        assert (ROOT / "docs" / name).exists(), name
