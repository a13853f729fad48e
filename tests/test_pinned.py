"""Every search of tests/data/pinned.txt visits the number of nodes and finds the line given there.

A change of search, ordering or evaluation makes these tests fail; `python3 tests/pinned.py` writes the new values, and the
commit shows the difference.
"""
# Started early by scripts/test, since it is slow.

import pytest
from pinned import PINNED, answers, pin, questions

from games import registry

LINES = PINNED.read_text(encoding="utf-8").splitlines()
GROUPS = questions(LINES)


@pytest.mark.parametrize(
    "group", GROUPS, ids=[f"{group[0].game} {index}" for index, group in enumerate(GROUPS)]
)
def test_nodes_scores_and_lines_are_the_pinned_ones(group):
    assert answers(group) == [question.pinned for question in group]


def test_every_game_and_a_plugin_are_pinned():
    pinned = {group[0].game for group in GROUPS}
    assert pinned == set(registry.built_in()) | {"nim"}


def test_pinning_a_search_again_changes_only_its_answer():
    lines = [
        "# a remark",
        "",
        "tictactoe | xx1/oo1/3 x | depth 9 | 7 nodes",
        "+ | xx1/oo1/3 x | depth 9 |",
    ]
    pinned = pin(lines)
    assert pinned[:2] == lines[:2]
    assert pinned[2].startswith("tictactoe | xx1/oo1/3 x | depth 9 | ")
    assert pinned[2].endswith("win 1 c3")
    assert pinned[3].startswith("+ | xx1/oo1/3 x | depth 9 | ") and pin(pinned) == pinned
