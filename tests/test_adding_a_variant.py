"""The code of docs/adding-a-variant.md, and the variant that its reader writes."""

import re

import pytest
from conftest import ROOT, load_game

from games import registry
from games.chess.movegen import Generator
from search.bench import perft

PAGE = (ROOT / "docs" / "adding-a-variant.md").read_text(encoding="utf-8")
IMPORTS = """from games.chess.tables import KING
from games.chess.variants.position import chess_network
"""


def block(kind):
    """Return the code of a block in docs/adding-a-variant.md.  kind: its label, such as `python hill`."""
    return re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture(scope="module")
def hill(tmp_path_factory):
    """Return the document's game: King of the Hill, with knowledge that guides the search."""
    path = tmp_path_factory.mktemp("variant") / "hill.py"
    place = "    def can_win"
    path.write_text(
        IMPORTS + block("python hill").replace(place, f"{block('python more')}\n{place}")
    )
    registry.load_plugin(str(path))
    return registry.get("hill")


def test_a_king_on_the_hill_wins_in_the_variant_of_the_guide(hill):
    position = hill.parse("4k3/8/8/8/8/4K3/8/7r w - - 0 1", {})
    position.make(position.parse_move("e3e4"))
    assert position.outcome().winner == 0 and position.legal_moves() == []


def test_the_variant_of_the_guide_has_the_moves_of_kingofthehill(hill):
    fen = "r1bq3r/ppp2ppp/2n1kn2/3p4/3P4/2N1KN2/PPP2PPP/R1BQ3R w - - 0 9"
    built_in = registry.get("kingofthehill")
    assert perft(hill.parse(fen, {}), 3) == perft(built_in.parse(fen, {}), 3)


def test_the_guide_quotes_the_code_of_three_check():
    source = (ROOT / "games" / "chess" / "variants" / "threecheck.py").read_text()
    assert block("python threecheck") in source


@pytest.mark.parametrize(
    "fen, counts",
    [
        (None, (18, 324, 6765)),
        ("r1bqkb1r/pp1n1ppp/2p1p3/3p4/3P4/2P1PN2/PP1N1PPP/R1BQKB1R w KQkq - 0 7", (31, 994, 31952)),
    ],
)
def test_leaf_counts_of_knightmate_are_right(fen, counts):
    load_game("knightmate")
    game = registry.get("knightmate")
    position = game.start({}) if fen is None else game.parse(fen, {})
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == list(counts)


def test_a_variant_may_have_its_own_leaps_and_its_own_generator():
    load_game("knightmate")
    knightmate = type(registry.get("knightmate"))

    class Peaceful(Generator):
        """Generates no captures, only quiet moves."""

        def __init__(self, position):
            super().__init__(position)
            self.captures = lambda side, ep, occupancy: []

    class PeacefulPosition(knightmate.position_class):
        generator_class = Peaceful

    class PeacefulKnightmate(knightmate):
        position_class = PeacefulPosition

    position = PeacefulKnightmate().start({})
    assert [perft(position, depth) for depth in (1, 2)] == [18, 324]
    assert perft(position, 3) < perft(registry.get("knightmate").start({}), 3)
