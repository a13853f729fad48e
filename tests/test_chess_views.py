"""The evaluation of chess sees the board from its own king: zones, mirrored views."""

import random

import pytest
from chess_weights import MIRRORED_ZONES, content, in_use, random_content, split_content
from test_contract import POSITIONS, Walk

from games import data, registry
from games.chess import evaluation, kernel
from games.chess.evaluation import evaluate, network
from games.chess.weights import COUNT_MASK, INPUTS, VIEW_LETTERS, read_weights
from search import ask
from search.limits import Limits

CHESS = registry.get("chess")
# Kings that go from one view to another: by steps over the middle and over ranks, by castling,
# by captures, also into the next phase, which begins with 15, 22 and 28 pieces.
CROSSINGS = [
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "r3k2r/ppp2ppp/8/3qp3/3PK3/8/PPP2PPP/R6R w kq - 0 9",
    "8/8/2pkp3/8/2P1P3/3PK3/8/8 w - - 0 1",
    "r1b2bnr/ppp2ppp/3k4/3Pp3/3p4/4K3/PPPP1PPP/R1B2BNR w - - 0 9",
    "8/pp3ppp/1n6/3kN3/8/4K3/PPP2PPP/8 b - - 0 1",
    "8/pp3ppp/2r5/4k3/3R4/8/PPP1KPPP/8 b - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "3k1r2/pppppppp/8/8/8/8/PPPPPPPP/3K1R2 w Ff - 0 1",
]


@pytest.fixture
def other_weights():
    """Evaluate with random weights, four zones and mirrored views."""
    with in_use(random_content()) as net:
        yield net


def position(fen):
    return CHESS.parse(fen, {})


def checked(pieces, kings):
    """Return an endgame score that compares the kernel's evaluation with that of the board."""

    def compare(side, score):
        net = network()
        assert score == net.score(net.accumulate(pieces, kings), side)
        return score

    return compare


@pytest.mark.parametrize("fen", CROSSINGS)
def test_a_search_evaluates_each_position_by_its_own_views(other_weights, monkeypatch, fen):
    """In quiescence, too, where no move is checked for legality."""
    monkeypatch.setattr(kernel, "_endgame_score", checked)
    place = position(fen)
    ask(place, Limits(depth=3), {}, None, 1)
    ask(place, Limits(mate=2, nodes=2000), {}, None, 1)
    assert len({number & ~COUNT_MASK for number in other_weights.features}) > 3


@pytest.mark.parametrize("fen", CROSSINGS + POSITIONS["chess"][-4:])
def test_the_states_of_a_kernel_have_the_accumulators_of_their_boards(other_weights, fen):
    walk = Walk(position(fen))
    walk.go(walk.kernel.root_state(), 2, random.Random(fen))
    assert walk.states > 2


def test_searches_are_the_same_if_zones_have_the_same_weights():
    def answers():
        found = [ask(position(fen), Limits(depth=4), {}, None, 1) for fen in CROSSINGS]
        return [(answer.nodes, answer.score, answer.move) for answer in found]

    expected = answers()
    with in_use(split_content()) as net:
        assert answers() == expected
        phases = set(net._weights.fewest)
        assert len({id(table) for table in net.features.values()}) <= len(phases)


def mirrored(fen):
    """Exchange left and right."""
    board, *rest = fen.split()
    return " ".join(["/".join(rank[::-1] for rank in board.split("/")), *rest])


@pytest.mark.parametrize("fen", [fen for fen in CROSSINGS if " - - " in fen])
def test_mirrored_positions_are_evaluated_alike(other_weights, fen):
    assert evaluate(position(fen)) == evaluate(position(mirrored(fen)))


def test_zones_have_weights_of_their_own(other_weights):
    """A knight adds something else if its king stands in another zone."""
    without, with_knight = (
        [
            evaluate(position(f"rn2k3/ppp5/8/8/8/{knight}/PPP5/{king} w - - 0 1"))
            for king in ("R3K3", "R4K2", "R5K1", "RK6")
        ]
        for knight in ("8", "N7")
    )
    assert len({one - other for one, other in zip(with_knight, without)}) == 4


def test_the_tables_do_not_grow_without_end(other_weights, monkeypatch):
    """A search begins with new ones when there are too many, and finds the same."""

    def nodes():
        return [ask(position(fen), Limits(depth=3), {}, None, 1).nodes for fen in CROSSINGS]

    expected = nodes()
    monkeypatch.setattr(evaluation, "MOST_LISTS", 20)
    monkeypatch.setattr(evaluation, "RARE_USES", 2)
    other_weights.features.clear()
    assert nodes() == expected
    tables = {id(table): table for table in other_weights.features.values()}.values()
    assert 0 < sum(isinstance(row, list) for table in tables for row in table[1:]) <= 20


@pytest.mark.parametrize(
    "views",
    [
        MIRRORED_ZONES[:-1],
        MIRRORED_ZONES + "a",
        MIRRORED_ZONES[:-1] + "q",
        MIRRORED_ZONES[:-1] + "1",
        MIRRORED_ZONES[:-1] + "ä",
        "",
    ],
)
def test_a_malformed_map_of_zones_is_refused(views):
    with pytest.raises(data.DamagedError, match="malformed header"):
        read_weights(content(views, bytes(1000)))


def test_the_rows_must_be_those_of_all_zones():
    width, phases = network()._weights.bits // 8, len(set(network()._weights.fewest))
    rows = phases * (4 * INPUTS + 1)
    assert read_weights(content(MIRRORED_ZONES, bytes(rows * width))).views
    for letters, number in (("abc", rows), ("abcd", rows - 1), ("abcde", rows), ("abcd", rows + 1)):
        views = (letters + MIRRORED_ZONES.lower())[:64].replace("d", letters[-1])
        with pytest.raises(data.DamagedError, match=r"\d bytes instead of \d"):
            read_weights(content(views, bytes(number * width)))
    assert set(MIRRORED_ZONES) <= set(VIEW_LETTERS)
