"""The contract of games/base.py, checked for every registered game, built in or plugin."""
# Started early by scripts/test, since it is slow.

import os
import random
from itertools import islice

import pytest
from conftest import load_game
from tables import rows

from games import registry
from games.base import INFINITY, MAX_SCORE, WIN, MoveError, PositionError
from games.texts import squares_of
from protocol.moves import drop as dressed
from protocol.moves import read, read_any_move
from search import context_of
from search.bench import perft
from search.context import kernel_of
from search.limits import Limits
from search.pvs import Tree, bind_search

# Plugins unlike any built-in game: heaps without a board, double moves, jumps, hexagons, phases.
for plugin in ("nim", "kalah", "jumps", "yavalath", "hoppers", "morris"):
    load_game(plugin)

# Games in development can be tested too: PLYGLOT_PLUGINS=mygame.py pytest ... -k mygame
for where in filter(None, os.environ.get("PLYGLOT_PLUGINS", "").split(os.pathsep)):
    registry.load_plugin(where)

OPTIONS = {option.name: option.default for option in registry.options()}
NAMES = registry.names()


def playout(name, seed, plies=400):
    """Play random moves; yield the position before each move, always the same object."""
    dice = random.Random(f"{name} {seed}")
    position = registry.get(name).start(OPTIONS)
    for _ in range(plies):
        yield position
        moves = position.legal_moves()
        if not moves:
            return
        position.make(dice.choice(moves))


def facts(position):
    outcome = position.outcome()
    return (
        position.side,
        position.key,
        position.text(),
        sorted(position.legal_moves()),
        outcome and (outcome.winner, outcome.reason, outcome.margin),
        position.final_value(),
        position.board(),
        position.picture(),
    )


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


def test_names_and_aliases_find_the_game(name):
    game = registry.get(name)
    assert game.name == name
    for alias in game.aliases:
        assert registry.get(alias.upper()) is game
        assert registry.canonical(alias) == name


def test_make_and_undo_are_inverse(name):
    for seed in range(2):
        for position in islice(playout(name, seed, 60), 5 * seed, None, 10):
            before = facts(position)
            for move in position.legal_moves()[:8]:
                position.make(move)
                position.legal_moves()
                position.undo()
                assert facts(position) == before


def test_a_whole_game_can_be_undone(name):
    seen, position = [], None
    for position in playout(name, 7):
        seen.append((position.text(), position.key))
    if (position.text(), position.key) == seen[-1]:  # the game ended, so no move followed
        seen.pop()
    for expected in reversed(seen):
        position.undo()
        assert (position.text(), position.key) == expected


def test_a_copy_has_the_same_history_and_is_independent(name):
    for ply, position in enumerate(playout(name, 9, 40)):
        copy = position.copy()
        if copy is None:
            assert name not in registry.built_in() or name == "tree"
            return
        before = facts(position)
        assert facts(copy) == before and type(copy) is type(position)
        for move in position.legal_moves()[:1] if ply % 3 else ():
            copy.make(move)
            copy.legal_moves()
            assert facts(position) == before
            position.make(move)
            assert facts(copy) == facts(position)
            copy.undo()
            assert facts(copy) == before
            position.undo()
        if ply % 10 == 5:
            for _ in range(ply):
                copy.undo()
            assert copy.text() == registry.get(name).start(OPTIONS).text()
            assert facts(position) == before


def test_moves_are_unique_small_ints_with_unique_texts(name):
    for position in islice(playout(name, 1, 80), 0, None, 4):
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert all(isinstance(move, int) and 0 <= move < 1 << 20 for move in moves)
        texts = [position.move_text(move) for move in moves]
        assert len(set(texts)) == len(texts)
        for move, text in list(zip(moves, texts))[:20]:
            assert position.parse_move(text) == move
            assert position.parse_move(" " + text + " ") == move


def test_text_round_trips(name):
    game = registry.get(name)
    for position in islice(playout(name, 2, 80), 0, None, 4):
        again = game.parse(position.text(), OPTIONS)
        assert again.text() == position.text()
        assert (again.side, again.key) == (position.side, position.key)
        if not game.repetition:
            assert sorted(again.legal_moves()) == sorted(position.legal_moves())
        assert (
            game.parse("  " + position.text().replace(" ", "  ") + "\t", OPTIONS).text()
            == position.text()
        )


class Keys:
    """The positions seen so far, by key.

    counter_words: number of counters at the end of a position's text.
    """

    def __init__(self, counter_words):
        self._texts, self._counter_words = {}, counter_words

    def add(self, position):
        """Check that a position equals every earlier position that has the same key."""
        words, key = position.text().split(), position.key
        text = " ".join(words[: len(words) - self._counter_words])
        assert 0 <= key < 1 << 62, f"the key {key:#x} of {text} is not below 2**62"
        other = self._texts.setdefault(key, text)
        assert other == text, f"{other} and {text} have the same key, {key:#x}"


def test_keys_are_small_and_unique(name):
    keys = Keys(registry.get(name).counter_words)
    for seed in range(3):
        for position in playout(name, seed, 60):
            keys.add(position)
            for move in position.legal_moves()[: 0 if seed else 8]:
                position.make(move)
                keys.add(position)
                position.undo()


def test_positions_that_differ_in_one_letter_have_different_keys(name):
    game = registry.get(name)
    keys = Keys(game.counter_words)
    for ply, position in enumerate(playout(name, 8, 40)):
        text = position.text()
        for place, letter in enumerate(text if ply % 20 == 0 else ""):
            for other in sorted(
                {char for char in text if char.isalpha() and letter.isalpha() and char != letter}
            ):
                try:
                    keys.add(game.parse(text[:place] + other + text[place + 1 :], OPTIONS))
                except PositionError:
                    continue
        keys.add(position)


def test_a_game_is_over_exactly_when_no_move_is_left(name):
    most = registry.get(name).max_plies
    for seed in range(2):
        for ply, position in enumerate(playout(name, seed)):
            assert most is None or ply <= most
            outcome = position.outcome()
            assert (outcome is None) == bool(position.legal_moves())
            value = position.final_value()
            if outcome is None:
                assert value is None or registry.get(name).repetition
            else:
                assert outcome.winner in (0, 1, None)
                assert outcome.reason and not outcome.reason.endswith(".")
                assert -WIN <= position.value_of(outcome) <= WIN
                assert value is None or value == position.value_of(outcome)
        assert outcome is not None or most is None


def test_sides_are_valid(name):
    game, moved = registry.get(name), set()
    for seed in range(3):
        position, before = game.start(OPTIONS), None
        dice = random.Random(f"sides {seed}")
        for _ in range(60):
            side = position.side
            assert type(side) is int and side in (0, 1), (
                f"side is {side!r}: it must be 0 or 1, the player who is to move"
            )
            assert side != before or not game.alternates, (
                f"{game.name} says alternates = True, but {game.colours[side]} moves twice: {position.text()}"
            )
            legal, before = position.legal_moves(), side
            if not legal:
                break
            moved.add(side)
            position.make(dice.choice(legal))
    assert moved == {0, 1}, f"{game.colours[1 - moved.pop()]} never moves in games of 60 plies"


def test_evaluation_terms_add_up_and_selected_moves_are_legal(name):
    for position in islice(playout(name, 3, 60), 0, None, 8):
        legal = set(position.legal_moves())
        if not legal:
            break
        assert abs(position.evaluate()) < MAX_SCORE
        terms = position.evaluation_terms()
        assert not terms or sum(score for _, score in terms) == position.evaluate()
        assert set(position.noisy_moves()) <= legal
        narrowed = position.search_moves()
        assert narrowed and set(narrowed) <= legal and len(set(narrowed)) == len(narrowed)
        order = position.order_moves(list(legal))
        assert len(order) == len(legal) and all(abs(rank) < 1 << 20 for rank in order)


def test_the_estimate_of_moves_left_is_valid(name):
    counts = []
    for played, position in enumerate(playout(name, 5)):
        if position.outcome() is None:
            left = position.moves_left(played, 10.0, {})
            counts.append((position.side, left))
            assert left is None or 1 <= left[0] and 1 <= left[1]
    for number, (side, left) in enumerate(counts):
        rest = sum(later == side for later, _ in counts[number:])
        assert left is None or left[1] >= min(rest, 80) * 0.8, (
            "more moves were made than the maximum"
        )


def test_placements_lie_on_the_board(name):
    game = registry.get(name)
    for position in playout(name, 4, 60):
        board = position.board()
        if board is not None:
            assert len({len(row) for row in board}) == 1
        cells = [
            position.placement(move) for move in position.legal_moves() if move != game.pass_move
        ]
        placed = [cell for cell in cells if cell is not None]
        assert len(set(placed)) == len(placed)
        for column, row in placed:
            assert board[row][column] == "."


def test_moves_change_the_cells_that_their_texts_name(name):
    for seed in range(3):
        for position in islice(playout(name, seed, 60), seed, None, 6):
            before = position.board()
            if before is None:
                return
            for move in position.legal_moves()[:12]:
                check_squares(position, move, before)


def check_squares(position, move, before):
    """Check that a move changes the first and the last cell that its text names."""
    game, squares, side = position.game, squares_of(position), position.side
    text, cells, drop = position.move_text(move), position.touched(move), position.dropped(move)
    hand = (position.hands() or [""] * 2)[side]
    position.make(move)
    after = position.board()
    position.undo()
    where = f"in {position.text()}"
    if position.placement(move) is not None:
        named = squares.cells_in(text)
        assert cells == [position.placement(move)] and named in ([], cells), (
            f"{text} fills {', '.join(map(squares.name, cells))}, {where}"
        )
    if not cells:
        assert after == before, f"{text} names no cell that it changes, {where}"
        return
    start, end = cells[0], cells[-1]

    def at(board, cell):
        column, row = cell
        return board[row][column]

    ends = [start, end] if start != end else [start] if len(cells) == 1 else []
    if game.looks.explodes and at(after, end) == ".":
        ends.remove(end)
    for cell in ends:
        assert at(before, cell) != at(after, cell), (
            f"{text} leaves {squares.name(cell)} as it was, {where}"
        )
    if len(cells) > 1:
        piece = at(before, start)
        assert piece != ".", f"{text} starts from {squares.name(start)}, which is empty, {where}"
        assert game.looks.owner(piece) in (side, None), (
            f"{text} moves {piece} from {squares.name(start)}, which is the opponent's, {where}"
        )
    assert at(after, end) != "." or end not in ends, (
        f"{text} ends on {squares.name(end)}, which is empty afterwards, {where}"
    )
    assert drop is None or drop in hand and at(before, end) == ".", (
        f"{text} drops {drop}, which is not in hand, {where}"
    )


def test_every_notation_of_a_move_is_read_by_every_reader(name):
    for position in islice(playout(name, 5, 60), 0, None, 30):
        for move in position.legal_moves()[:8]:
            ways = [position.notation, position.move_text, *position.notations().values()]
            for text in {write(move) for write in ways}:
                assert position.read_notation(text) == move
                assert read_any_move(position, text) == move
                assert read_any_move(position, text, typed=True) == move
            assert read(position, dressed(position, move)) == move
        text = position.fairy_text()
        assert position.game.parse(text, OPTIONS).text() == position.text()


def test_pictures_are_lines_of_text(name):
    for position in playout(name, 6, 40):
        for row in position.board() or ():
            assert all(isinstance(cell, str) and cell.strip() for cell in row), (
                f"a cell of {row!r} shows nothing"
            )
        lines = position.picture()
        assert (
            lines is None
            or lines
            and all(isinstance(line, str) and "\n" not in line for line in lines)
        )


def test_unreadable_moves_are_refused_and_quoted(name):
    position = registry.get(name).start(OPTIONS)
    before = facts(position)
    for text in "| |zz|e9x|-1|99999999999999999999|\x00|a1a1a1|P@|é|½|²".split("|"):
        with pytest.raises(MoveError):
            position.parse_move(text)
    assert facts(position) == before


def test_malformed_positions_are_refused(name):
    texts = "| |x|/|////////|8/8/8/8/8/8/8/8|a b c d e f g|\x00|((((|² w|٣/3/3 x|- - - -|startpos"
    for text in (*texts.split("|"), "9" * 5000, "x" * 100000):
        print(repr(text[:12]))  # pytest shows this if the test fails
        with pytest.raises(PositionError):
            registry.get(name).parse(text, OPTIONS)


def test_damaged_texts_are_read_or_refused_without_a_crash(name):
    game, dice = registry.get(name), random.Random("damage " + name)
    texts = [position.text() for position in playout(name, 5, 40)]
    for _ in range(300):
        text = list(dice.choice(texts))
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(text)) if text else 0
            text[place : place + dice.randint(0, 2)] = dice.choice(
                ["", "x", "o", "8", "/", " ", "K", "w", "-", "(", "é"]
            )
        try:
            position = game.parse("".join(text), OPTIONS)
        except PositionError as error:
            assert str(error)
            continue
        assert game.parse(position.text(), OPTIONS).text() == position.text()
        for move in position.legal_moves():
            position.make(move)
            position.undo()
        position.outcome()


def test_the_games_own_perft_agrees_with_make_and_undo(name):
    position = registry.get(name).start(OPTIONS)
    depth = 3 if len(position.legal_moves()) < 50 else 2
    assert perft(position, depth) == perft(position, depth, check=lambda nodes: 0)


# ---- a kernel's successors agree with Position.make ------------------------------------------

# More start positions, for what random games seldom reach: castling, pins, en passant, promotion,
# Chess960 and castling rights lost by a capture.
POSITIONS = {
    "chess": [fen for fen, _, _ in rows("chess_rules.leaves")]
    + [
        "r3k2r/1p6/8/8/8/6P1/6BP/4K2R b Kkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "rn2k1r1/8/8/8/8/8/8/1R3KR1 w GBga - 0 1",
    ]
}


class Walk:
    """A random walk that compares a kernel's successors with those of Position.make()."""

    def __init__(self, position):
        self._here = position.game.parse(position.text(), OPTIONS)
        limits = Limits()
        self._context = context_of(position, limits, OPTIONS, {}, 1)
        self.kernel, self._tree = self._built(position)
        self._own = position.game.kernel(position, self._context, self._tree) is not None
        self.states = 0

    def _built(self, position):
        tree = Tree(self._context.table("walk"), lambda nodes: nodes + 1000)
        kernel = kernel_of(position, self._context, tree)
        bind_search(kernel, tree)
        return kernel, tree

    def go(self, state, plies, dice, ply=0):
        """Compare a state's successors with Position.make(), then go on with some of them."""
        kernel, tree = self.kernel, self._tree
        if (
            kernel.early_return is not None
            and kernel.early_return(state, 3, -INFINITY, INFINITY, ply, False) is not None
        ):
            return
        tree.path[tree.base + ply] = state[0]
        tree.evals[ply] = state[1] if kernel.carries_static else kernel.evaluate(state, ply)[0]
        node = [-INFINITY, -INFINITY, INFINITY, -1, tree.evals[ply], True]
        before = self._here.text()
        for move, child, _, _ in kernel.successors(state, 3, ply, node):
            self._here.make(move)
            self._compare(child, ply + 1)
            if plies > 1 and dice.random() < 0.05:
                self.go(child, plies - 1, dice, ply + 1)
            self._here.undo()
        assert self._here.text() == before

    def _compare(self, child, ply):
        """Compare a successor's state with that of a kernel built from the current position."""
        fresh, _ = self._built(self._here)
        state = fresh.root_state()
        # A plain state's last element depends on the last move, which a new kernel lacks.
        shared = len(state) if self._own else 4
        assert child[:shared] == state[:shared], self._here.text()
        if self._here.game.name == "chess":
            assert child[0] == self._here.key, self._here.text()
        again = self._here.game.parse(self._here.text(), OPTIONS)
        assert (again.key, again.evaluate()) == (self._here.key, self._here.evaluate()), (
            self._here.text()
        )
        if not fresh.carries_static:  # if states carry the evaluation, it was compared above
            assert self.kernel.evaluate(child, ply) == fresh.evaluate(state, 1), self._here.text()
        self.states += 1


@pytest.mark.parametrize("name", [name for name in NAMES if not registry.get(name).textbook])
def test_a_kernels_successors_agree_with_make(name):
    dice, game, states = random.Random(f"walk {name}"), registry.get(name), 0
    texts = [position.text() for position in playout(name, 0, 60)]
    for text in filter(None, texts[:1] + dice.sample(texts, 2) + POSITIONS.get(name, [])):
        walk = Walk(game.parse(text, OPTIONS))
        walk.go(walk.kernel.root_state(), 2, dice)
        states += walk.states
    assert states > 8
