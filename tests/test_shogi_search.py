"""The search of shogi: its evaluation, exchanges, mates and repetitions."""

import pathlib
import random
from zlib import decompress

import pytest

from games import data, registry
from games.base import WIN
from games.shogi.ordering import static_exchange
from games.shogi.tables import DROP, FROM_TO, FROM_TO_MASK, WHITE
from games.solver import book_line
from search import ask, context_of
from search.limits import Limits

SHOGI = registry.get("shogi")
PLAIN = {"MultiPV": 1, "OwnBook": False}


def search(text, memory=None, game=SHOGI, **limits):
    """Return (position, best Line) of a search."""
    position = game.parse(text, {})
    return position, ask(position, Limits(**limits), PLAIN, memory, 4).lines[0]


def turned(position, mirrored=False):
    """Return the position with the colours exchanged, or mirrored left to right."""
    rows, hands = position.board(), position.text().split()[2]
    side = position.side if mirrored else 1 - position.side
    rows = [row[::-1] for row in (rows if mirrored else rows[::-1])]
    if not mirrored:
        rows = [[cell.swapcase() for cell in row] for row in rows]
        hands = hands.swapcase()
    board = position.game.arrange(rows, side).split()[0]
    return position.game.parse(f"{board} {'bw'[side]} {hands} 1", {})


@pytest.mark.parametrize("game", [SHOGI, registry.get("minishogi")])
def test_the_evaluation_is_the_same_for_both_sides_and_for_the_mirror_image(game):
    dice, position = random.Random("views"), game.start({})
    for _ in range(80):
        score, middle = position.evaluate(), game.size // 2
        assert turned(position).evaluate() == score
        if all(king % game.size != middle for king in position.kings):
            assert turned(position, True).evaluate() == score
        moves = position.legal_moves()
        if not moves:
            break
        position.make(dice.choice(moves))


@pytest.mark.parametrize(
    "text, move, loses",
    [
        ("4k4/9/4p4/4r4/9/9/4L4/9/4K4 b - 1", "5g5d", False),  # Wins a rook for a lance.
        ("4k4/9/5g3/4p4/9/9/4R4/9/4K4 b - 1", "5g5d", True),  # Loses a rook for a pawn.
        ("4k4/9/5g3/4p4/9/4L4/4R4/9/4K4 b - 1", "5f5d", False),  # The rook then wins the gold.
        ("4k4/4g4/9/9/9/9/9/9/4K4 b G 1", "G*5c", True),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", True),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", False),  # the pawn protects the gold
    ],
)
def test_static_exchange_sees_what_a_move_loses(text, move, loses):
    position = SHOGI.parse(text, {})
    start, to = FROM_TO[position.parse_move(move) & FROM_TO_MASK]
    side = position.side
    piece = start - DROP + WHITE * side if start >= DROP else position.squares[start]
    assert static_exchange(position)(piece, start, to, side) == loses


@pytest.mark.parametrize(
    "text, moves",
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("6gkl/6p2/5N1G1/9/9/9/9/9/4K4 b GS 1", 2),
        ("6nkl/7s1/4P1G2/9/9/9/9/9/4K4 b RG 1", 3),
        ("4k4/9/9/9/9/9/4p4/9/4K4 w g 1", 1),
    ],
)
def test_a_mate_is_found_and_every_move_of_it_is_legal(text, moves):
    position, line = search(text, mate=moves, nodes=100_000)
    assert WIN - line.score <= 2 * moves - 1 == len(line.moves)
    for move in line.moves:
        assert move in position.legal_moves()
        position.make(move)
    assert position.outcome().reason == "checkmate"


@pytest.mark.parametrize(
    "text, plies",
    [
        ("6nkl/7s1/4P1G2/9/9/9/9/9/4K4 b RG 1", 5),
        ("4k4/9/9/9/9/9/9/9/4K4 b 2G 1", 0),  # no mate
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0),
        ("7nk/9/8S/9/9/9/9/9/K8 b P 1", 0),  # only a dropped pawn would mate, which is forbidden
        ("7nk/9/8S/9/9/9/9/9/K8 b L 1", 1),
    ],
)
def test_a_search_of_checks_alone_finds_the_mate_if_there_is_one(text, plies):
    position = SHOGI.parse(text, {})
    line = position.mating_line(context_of(position, Limits(), PLAIN, {}, 1))
    assert len(line) == plies and position.text() == text
    for move in line:
        assert move in position.legal_moves()
        position.make(move)
    assert not line or position.outcome().reason == "checkmate"


def test_a_search_does_not_depend_on_earlier_searches():
    there = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"
    lines = [search(there, nodes=3000)[1] for _ in range(2)]
    assert (lines[0].score, lines[0].moves) == (lines[1].score, lines[1].moves)


def test_every_move_of_the_opening_book_is_legal_and_the_heaviest_comes_first():
    text = decompress(pathlib.Path(data.path_of(SHOGI.book)).read_bytes()).decode()
    lines = [line.split("\t") for line in text.splitlines()]
    assert any(SHOGI.start({}).text().startswith(words + " ") for words, *_ in lines)
    for words, *fields in lines:
        position = SHOGI.parse(f"{words} 1", {})
        moves = position.book_moves({})
        assert [(position.move_text(move), str(weight)) for move, weight in moves] == list(
            zip(fields[::2], fields[1::2])
        )
        assert moves == sorted(moves, key=lambda entry: -entry[1])


def test_the_opening_book_is_played_unless_the_options_or_the_search_exclude_it():
    position, own = SHOGI.start({}), {"OwnBook": True, "ShogiBook": True}
    move = position.book_moves({})[0][0]
    result = ask(position, Limits(depth=3), own, None, 4)
    assert (result.best_move, result.nodes) == (move, 0)
    others = [each for each in position.legal_moves() if each != move]
    for options, limits in (
        ({"OwnBook": True}, {}),
        ({**own, "OwnBook": False}, {}),
        ({**own, "MultiPV": 2}, {}),
        ({**own, "UCI_AnalyseMode": True}, {}),
        (own, {"moves": others[:2]}),
    ):
        assert ask(position, Limits(depth=3, **limits), options, None, 4).nodes > 0, options
    weights = dict(position.book_moves({}))
    drawn = []
    for seed in range(200):
        context = context_of(position, Limits(), {**own, "Variety": True}, {}, 1)
        context.random = random.Random(seed)
        drawn.append(book_line(position, context).moves[0])
    for each, weight in weights.items():
        assert abs(drawn.count(each) / 200 - weight / sum(weights.values())) < 0.15
