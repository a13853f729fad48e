"""Draughts: leaf counts, captures, draws, and the texts of positions and moves."""

import pytest
from tables import rows

from games import registry
from games.base import WIN, MoveError, PositionError
from games.draughts.draws import DRAWS as DRAWS_BY_NAME
from games.draughts.draws import drawn
from search import ask
from search.bench import perft
from search.limits import Limits

LONG = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26"
# (game, position, leaf counts from one ply on): published, or counted by two other programs.
LEAVES = [
    ("draughts", None, (9, 81, 658, 4265, 27117)),
    ("draughts", LONG, (6, 12, 30, 73, 215, 590)),
    ("checkers", None, (7, 49, 302, 1469, 7361)),
    ("russian", None, (7, 49, 302, 1469, 7482)),
    ("brazilian", None, (7, 49, 302, 1469, 7473)),
    ("frisian", None, (9, 81, 658, 3880, 21345)),
    ("frysk", None, (9, 81, 657, 5329)),
    ("antidraughts", None, (9, 81, 658, 4265)),
    ("breakthroughdraughts", None, (9, 81, 658, 4265)),
]


def position(name, text=None, moves=""):
    game = registry.get(name)
    made = game.start({}) if text is None else game.parse(text, {})
    for move in moves.split():
        made.make(made.parse_move(move))
    return made


def texts(made):
    return sorted(map(made.move_text, made.legal_moves()))


@pytest.mark.parametrize("name, text, counts", LEAVES)
def test_leaf_counts_are_right(name, text, counts):
    start = position(name, text)
    assert tuple(perft(start, depth) for depth in range(1, len(counts) + 1)) == counts


# (game, position, legal moves)
CAPTURES = rows("draughts.captures_follow_the_rules_of_each_game")


@pytest.mark.parametrize("name, text, moves", CAPTURES)
def test_captures_follow_the_rules_of_each_game(name, text, moves):
    assert texts(position(name, text)) == sorted(moves.split())


THREATS = [("checkers", "B:W14:B18", 0), ("draughts", "B:W14:B19", 1), ("frisian", "B:W35:B36", 0)]


@pytest.mark.parametrize("name, text, threat", THREATS)
def test_a_man_threatens_only_what_it_may_capture(name, text, threat):
    made = position(name, text)
    assert made.rules.can_capture(made.state) == threat


# (game, position, moves that end the game, winner, reason)
ENDS = [
    ("draughts", "W:W28,32:B22", "28x17", 0, "Black can't move"),
    ("checkers", "B:W14:BK17", "17x10", 0, "White can't move"),
    ("antidraughts", "W:W28:B22,12,8", "28x17 12x21", 0, "White can't move"),
    ("breakthroughdraughts", "W:W7:B20", "7-1", 0, "White has a king"),
    ("breakthroughdraughts", "B:W30,34:B25", "", 0, "Black can't move"),
]
# (game, position, moves to and fro, plies after which the game is drawn, reason)
DRAWS = [
    ("draughts", "W:WK46,45:BK3", "46-41 3-8 41-46 8-3", 8, "third time"),
    ("checkers", "B:WK32:BK1", "1-5 32-28 5-1 28-32", 8, "third time"),
    ("antidraughts", "W:WK46,45:BK3", "46-41 3-8 41-46 8-3", 8, "third time"),
    ("frisian", "W:WK46:BK3", "46-41 3-8 41-46 8-3", 4, "2 moves of a king against a king"),
    ("frisian", "W:WK46,K47:BK3", "46-41 3-8 41-46 8-3", 14, "7 moves of a king against two kings"),
]


@pytest.mark.parametrize("name, text, moves, winner, reason", ENDS)
def test_the_rules_decide_who_has_won(name, text, moves, winner, reason):
    outcome = position(name, text, moves).outcome()
    assert (outcome.winner, outcome.reason) == (winner, reason)


@pytest.mark.parametrize("name, text, moves, plies, reason", DRAWS)
def test_a_game_is_drawn_as_the_rules_say(name, text, moves, plies, reason):
    made = position(name, text)
    for move in (moves.split() * plies)[:plies]:
        assert made.outcome() is None
        made.make(made.parse_move(move))
    assert made.legal_moves() == [] and made.playable_moves()
    assert made.outcome().winner is None and reason in made.outcome().reason


@pytest.mark.parametrize(
    "table, one, other, king_moves, moves", rows("draughts.draws_are_recognised_by_counting_moves")
)
def test_draws_are_recognised_by_counting_moves(table, one, other, king_moves, moves):
    for pieces in ((tuple(one), tuple(other)), (tuple(other), tuple(one))):
        assert drawn(DRAWS_BY_NAME[table], pieces, (king_moves, moves))
        assert not drawn(DRAWS_BY_NAME[table], pieces, (max(king_moves - 1, 0), max(moves - 1, 0)))


def test_a_frisian_king_moves_three_times_in_succession():
    made = position("frisian", "W:WK46,45:BK3", "46-41 3-8 41-46 8-3 46-41 3-8")
    assert texts(made) == ["45-40"]
    assert {reason for _, reason in made.barred_moves()} == {
        "this king has moved three times in succession"
    }
    assert "three times" in refused(made, "41-46")
    made.make(made.parse_move("45-40"))
    made.make(made.parse_move("8-3"))
    assert "41-46" in texts(made)


# ---- texts ---------------------------------------------------------------------------

# (game, text that is read, canonical text)
POSITIONS = [
    ("draughts", "W:WK31-33,K46:B4-1.", "W:WK31,K32,K33,K46:B1,2,3,4"),
    ("draughts", "B:B 4, 2 :W31:H0:F1", "B:W31:B2,4"),
    ("draughts", "W" + "b" + "e" * 47 + "wW", "W:W49,K50:B1"),
    ("draughts", "W:Wa1:B", "W:W46:B"),
    ("checkers", "B:W21:BK1,12", "B:W21:BK1,12"),
    ("russian", "W:WKd8,c3,a1:Bh8", "W:Wa1,c3,Kd8:Bh8"),
    ("brazilian", "W:W29,K2:B4", "W:Wa1,Kd8:Bh8"),
]


@pytest.mark.parametrize("name, text, canonical", POSITIONS)
def test_positions_are_read(name, text, canonical):
    assert position(name, text).text() == canonical


@pytest.mark.parametrize("name, text, reason", rows("draughts.impossible_positions_are_refused"))
def test_impossible_positions_are_refused(name, text, reason):
    with pytest.raises(PositionError, match=reason):
        position(name, text)


# (game, position, texts of one move); None means the start position.
MOVES = rows("draughts.moves_are_read")


@pytest.mark.parametrize("name, text, forms", MOVES)
def test_moves_are_read(name, text, forms):
    made = position(name, text)
    first, *others = forms.split()
    assert made.move_text(made.parse_move(first)) == first
    assert {made.parse_move(form) for form in others} <= {made.parse_move(first)}


def refused(made, text):
    with pytest.raises(MoveError) as error:
        made.parse_move(text)
    return error.value.reason


def test_illegal_moves_are_refused_with_the_reason():
    made = position("draughts", "W:W28,38,45:B22,11,33")
    (forced,) = texts(made)
    assert refused(made, "45-40") == f"a capture is forced: {forced}"
    assert refused(made, "38x29") == f"the largest capture is forced: {forced}"
    assert refused(made, "45-34") == "is not a legal move here"
    assert "no square 60" in refused(made, "45-60")
    for part in ("45", "4", "a1"):
        assert "expected squares" in refused(made, part)
    assert "most valuable" in refused(position("frisian", "W:W28:B27,K18"), "28x26")
    assert "any of several captures" in refused(
        position("draughts", "W:WK36:B12,28,8,11,22,17"), "36x16"
    )


# ---- search --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, text, move, plies",
    [
        ("draughts", "W:W28,32:B22", "28x17", 1),
        ("checkers", "B:WK17:B13,9", "13x22", 1),
        ("breakthroughdraughts", "W:W12,40:B35,28", "12-7", 3),
        ("antidraughts", "W:W28:B19,1", "28-23", 2),
    ],
)
def test_wins_are_found(name, text, move, plies):
    made = position(name, text)
    line = ask(made, Limits(depth=3)).lines[0]
    assert (made.move_text(line.moves[0]), line.score) == (move, WIN - plies)


def test_the_evaluation_sees_both_colours_alike():
    for name in ("draughts", "brazilian", "checkers"):
        made = position(name)
        for _ in range(12):
            made.make(made.legal_moves()[0])
        board = made.rules.board
        turned = dict(zip(board.all, reversed(board.all)))
        pieces = {turned[square]: piece for square, piece in made.pieces().items()}
        swapped = {square: "wWbB"["bBwW".index(piece)] for square, piece in pieces.items()}
        other = type(made)(made.game, swapped, made.side ^ 1)
        assert other.evaluate() == made.evaluate()
