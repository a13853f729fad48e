"""Connect Four: rules, texts, impossible positions, and the knowledge that a search relies on."""

import random

import pytest
from conftest import play_on
from tables import rows

from games import registry
from games.base import MoveError, PositionError
from search.bench import perft

GAME = registry.get("connect4")
EMPTY = "7/7/7/7/7/7 x"


def after(moves):
    return play_on(GAME.start({}), list(moves))


def four_in_rows(board, colour):
    """Does a board, given as rows of characters, have four stones of one colour in a line?"""
    cells = {(x, y) for y, row in enumerate(board) for x, char in enumerate(row) if char == colour}
    return any(
        all((x + i * dx, y + i * dy) in cells for i in range(4))
        for x, y in cells
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def random_game(rng):
    """Yield the position after each move of a random game, always the same object."""
    pos = GAME.start({})
    yield pos
    while pos.legal_moves():
        pos.make(rng.choice(pos.legal_moves()))
        yield pos


def test_leaf_counts_are_right():
    """7**7 sequences of seven moves, minus the 7 with all stones in one column, which holds six."""
    counts = [perft(GAME.start({}), depth) for depth in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


def test_mirrored_positions_are_evaluated_alike():
    assert after("1223").evaluate() == after("7665").evaluate()


def test_a_game_ends_with_four_in_any_direction():
    for moves in ("1212121", "1122334", "12233434464", "76655454424"):
        pos = after(moves)
        assert pos.outcome().winner == 0 and pos.final_value() < 0 and not pos.legal_moves()
        pos.undo()
        assert pos.outcome() is None and pos.legal_moves()


def test_outcomes_agree_with_a_plain_search_for_lines():
    rng = random.Random(1)
    for _ in range(200):
        for pos in random_game(rng):
            board = pos.board()
            over = pos.outcome()
            winners = [player for player, colour in enumerate("XO") if four_in_rows(board, colour)]
            assert winners == ([over.winner] if over and over.winner is not None else [])
            assert (over is None) == bool(pos.legal_moves())


def test_the_fen_of_fairy_stockfish_is_read():
    pocket = "[" + "P" * 21 + "p" * 21 + "]"
    assert GAME.parse("7/7/7/7/7/7" + pocket + " w - - 0 1", {}).text() == EMPTY
    assert GAME.parse("7/7/7/7/3p3/3P3 w - - 0 2", {}).text() == "7/7/7/7/3o3/3x3 x"
    assert GAME.parse("7/7/7/7/7/3P3 b", {}).side == 1


@pytest.mark.parametrize("text", rows("connect4.impossible_positions_are_refused"))
def test_impossible_positions_are_refused(text):
    with pytest.raises(PositionError):
        GAME.parse(text, {})


def test_a_won_position_can_be_set_up():
    assert GAME.parse("7/7/7/7/ooo4/xxxx3 o", {}).outcome().winner == 0


def test_all_forms_of_a_move_are_read():
    pos = after("44")
    assert {pos.parse_move(text) for text in ("4", "d", "D", " 4 ", "d3", "D3")} == {3}
    assert pos.placement(3) == (3, 2) and pos.move_text(3) == "4"
    assert GAME.split_moves("4455") == ["4", "4", "5", "5"] and GAME.split_moves("d3") == ["d3"]


@pytest.mark.parametrize("move", ["0", "8", "", "h", "d1", "d4", "d9", "44", "-1", "ü", "²"])
def test_invalid_moves_are_refused(move):
    with pytest.raises(MoveError):
        after("44").parse_move(move)


def test_full_columns_and_finished_games_have_no_legal_move():
    full = after("444444")
    with pytest.raises(MoveError, match="full"):
        full.parse_move("4")
    assert 3 not in full.legal_moves()
    with pytest.raises(MoveError, match="over"):
        after("1212121").parse_move("3")


def loses_at_once(pos):
    """Does every move of the side to move let the opponent win with the next stone?"""
    return all(any_win(pos, move) for move in pos.legal_moves())


def any_win(pos, move):
    pos.make(move)
    try:
        if pos.outcome():
            return False
        return any(wins(pos, reply) for reply in pos.legal_moves())
    finally:
        pos.undo()


def wins(pos, move):
    pos.make(move)
    won = pos.final_value() is not None and pos.final_value() < 0
    pos.undo()
    return won


def test_only_winning_moves_or_those_that_do_not_lose_at_once_are_searched():
    rng = random.Random(4)
    for _ in range(150):
        for pos in random_game(rng):
            moves = pos.legal_moves()
            if not moves:
                continue
            kept = pos.search_moves()
            assert kept and set(kept) <= set(moves)
            winning = [move for move in moves if wins(pos, move)]
            if winning:
                assert kept == winning
            elif not loses_at_once(pos):
                assert kept == [move for move in moves if not any_win(pos, move)]


def test_move_ordering_scores_every_move_and_ranks_threats_first():
    pos = after("3344")
    moves = pos.legal_moves()
    scores = pos.order_moves(moves)
    assert len(scores) == len(moves)
    best = moves[scores.index(max(scores))]
    assert best in (1, 4)
