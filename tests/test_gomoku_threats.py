"""Gomoku's search: wins by force are found and hold against every reply; nothing at hand is missed."""
from pathlib import Path
from random import Random

import pytest

from games import registry
from games.base import WIN
from search.clock import Clock
from search.context import Context
from search.deepening import think
from search.limits import Limits

PUZZLES = [tuple(part.strip() for part in line.split(";"))
           for line in (Path(__file__).parent / "data" / "gomoku-puzzles.txt").read_text().splitlines()
           if not line.startswith("#")]


def search(position, **limits):
    """The best Line of a search of a copy of `position`."""
    limits = Limits(**limits)
    copy = position.game.parse(position.text(), {})
    context = Context(limits, Clock(limits, position.side), {}, {}, 1, copy.legal_moves())
    return think(copy, context, lambda report: None)[0]


def solved(position):
    """The proven line of the solver, None where it finds none."""
    limits = Limits(depth=1)
    context = Context(limits, Clock(limits, position.side), {}, {}, 1, position.legal_moves())
    lines = list(position.game.parse(position.text(), {}).solve(context))
    return lines[0] if lines else None


def winning_cells(position):
    """The moves that win at once, by the rules alone."""
    found = set()
    for move in position.legal_moves():
        position.make(move)
        if position.winner is not None:
            found.add(move)
        position.undo()
    return found


def threatened_cells(position):
    """Where the player who is not to move could win; by the rules alone.

    A reply takes away its own cell at most, so two different replies show them all.
    """
    found = set()
    for reply in position.legal_moves()[-2:]:
        position.make(reply)
        found |= winning_cells(position)
        position.undo()
    return found


def holds_against_everything(position, moves):
    """Does the solver's play win within `moves` own moves against every legal reply?"""
    line = solved(position)
    if line is None or moves == 0 or line.score != WIN - len(line.moves):
        return False
    position.make(line.moves[0])
    answer = position.winner is not None or (not winning_cells(position) and all_replies_lose(position, moves - 1))
    position.undo()
    return answer


def all_replies_lose(position, moves):
    """Has every legal reply been answered?  No reply wins at once here."""
    fives = threatened_cells(position)
    if len(fives) > 1:
        return moves > 0
    replies = position.legal_moves() if not fives else [move for move in position.legal_moves() if move in fives]
    for reply in replies:
        position.make(reply)
        lost = holds_against_everything(position, moves)
        position.undo()
        if not lost:
            return False
    return True


def test_there_are_enough_puzzles():
    assert len(PUZZLES) >= 60
    assert {name for name, _, _ in PUZZLES} == {"gomoku", "gomokufreestyle", "renju"}


@pytest.mark.parametrize("name, text, plies", PUZZLES)
def test_puzzle(name, text, plies):
    position = registry.get(name).parse(text, {})
    line = search(position, depth=2)
    assert (line.score, len(line.moves)) == (WIN - int(plies), int(plies))
    for move in line.moves:
        assert move in position.legal_moves()
        position.make(move)
    assert position.outcome().winner == registry.get(name).parse(text, {}).side
    # Replies that stop nothing may be answered by a longer line than the shortest, but not by many moves.
    assert holds_against_everything(registry.get(name).parse(text, {}), int(plies) // 2 + 6)


def positions_with_something_at_hand(name, count, seed):
    """Random positions where the side to move can win at once, or must stop that (by the rules alone)."""
    game, random, found = registry.get(name), Random(seed), 0
    while found < count:
        position = game.start({"BoardSize": 9})
        while position.outcome() is None and position.stones < 45 and found < count:
            near = position.legal_moves()[:30]
            wins = winning_cells(position)
            blocks = threatened_cells(position)
            if wins or blocks:
                found += 1
                yield position, wins, blocks
            position.make(random.choice(sorted(wins) or sorted(blocks & set(near)) or near))


@pytest.mark.parametrize("name, count, seed", [("gomoku", 800, 1), ("gomokufreestyle", 800, 2), ("renju", 400, 3)])
def test_no_win_and_no_block_is_missed(name, count, seed):
    for position, wins, blocks in positions_with_something_at_hand(name, count, seed):
        move = search(position, depth=1).moves[0]
        if wins:
            assert move in wins, position.text()
        elif blocks & set(position.legal_moves()):
            assert move in blocks, position.text()
