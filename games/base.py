"""The contract of every game.

A game is two classes in one file (or one folder).  `Game` holds the facts: names,
options, what a search may assume.  `Position` holds one position and changes in place:
`make` plays a move, `undo` takes it back.

Every game must have (everything else has a default that works):

    Game:      name, start() or start_text
               parse()                              position text -> position
    Position:  side, key, legal_moves(), make(), undo(), outcome(), text(), move_text()

What a game may add is documented where it is declared.  Below are the methods for front ends and
the clock, and those for optional knowledge: an evaluation, an order for moves, noisy moves for
quiescence, a null move and a solver.  The names of squares are in games/texts.py, how a board is
drawn in games/looks.py, and a kernel for the tree search is in games/kernel.py.

Moves are non-negative ints below 2**20; only the game knows what they mean.  Keys
are ints below 2**62.  Players are 0 (moves first) and 1.  Scores are ints in the game's
own unit, for the side to move.  (The limits of moves and keys come from the entries of the
transposition table, games/entry.py.)  Games print nothing, know no protocol, and do not know one
another.
"""

from __future__ import annotations

from games.data import Fields
from games.looks import Looks

# Part of the contract: games may import Option and the three errors from here.
from games.options import Option as Option
from games.texts import GameError as GameError
from games.texts import MoveError as MoveError
from games.texts import PositionError as PositionError
from games.texts import Squares, squares_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from games.kernel import Kernel
    from games.learned.evaluation import WeightsFile
    from games.solver import Line
    from games.types import (
        Board,
        Cell,
        Context,
        Judge,
        Key,
        Move,
        MovesLeft,
        Options,
        Score,
        Side,
        Tree,
    )

    Own = TypeVar("Own", bound="Position")

# The score of a won game.  It is just below 2**30, since an entry of the transposition table has 31
# bits for a score.  A win n plies away scores WIN - n.  Every evaluation lies strictly inside
# +-MAX_SCORE.
WIN = 1_073_000_000
MAX_SCORE = 1_072_000_000
# Larger than every score.
INFINITY = WIN + 1

# The maximum that moves_left() returns for games whose board doesn't fill up.
_LONGEST_GAME = 200

# Maximum depth of perft: a deeper tree could never be counted completely.
DEEPEST_PERFT = 30

# The words for a pass in protocols and records.
PASSES = ("pass", "0000", "@@@@", "pa", "ps", "--")


class Outcome:
    """The way in which a game ended.

    winner: 0, 1, or None for a draw.  reason: a phrase without a full stop.
    margin: points by which the first player won (negative: lost); None if the game
    counts no points.
    """

    __slots__ = ("winner", "reason", "margin")

    def __init__(self, winner: Side | None, reason: str, margin: int | None = None) -> None:
        self.winner = winner
        self.reason = reason
        self.margin = margin

    def words(self, names: Sequence[str]) -> str:
        """Return who won and why, without a full stop.  names: the names of players 0 and 1."""
        if self.winner is None:
            return f"a draw: {self.reason}"
        winner = names[self.winner]
        return self.reason if self.reason.startswith(winner) else f"{winner} wins: {self.reason}"


class Scores(Fields):
    """The meaning of a game's scores.

    best: the highest score that is reported for an estimate.
    win_scale: an advantage of this score wins about three games in four.
    decided: from this score on a game counts as decided, even without proof; None if never.
    """

    best: Score = MAX_SCORE
    win_scale: Score = 200
    decided: Score | None = None


class Strength(Fields):
    """The engine's play below its full strength, and with variety.

    nodes: positions searched per move, at level 0 and at the second highest level.
    carelessness: the noise of scores at each of the five levels below 0, the weakest first, as a
    fraction of win_scale (search/levels.py).
    ratings: the Elo rating of each level, 0 to 20; empty if they weren't measured.
    varied_stones: the option Variety applies to boards with at most this many pieces.
    """

    nodes: tuple[int, int] = (250, 149_400)
    carelessness: Sequence[float] = (0.84, 0.7, 0.56, 0.45, 0.34)
    ratings: Sequence[int] = ()
    varied_stones: int = -1


class Game:
    """The facts of a game; one instance serves all its positions."""

    # The canonical name, in lower case.
    name: str = ""
    # Other names of the game.
    aliases: tuple[str, ...] = ()
    # The options that start() and parse() get as {name: value}.
    options: tuple[Option, ...] = ()

    # ---- for the search --------------------------------------------------------------

    # Is the game an explicit tree?  Then search/textbook.py searches the whole tree.
    textbook = False
    # May late moves be searched shallower?  (Not in a small game that can be solved.)
    reductions = False
    # Do the players always take turns?  A pass counts as a move.
    alternates = False
    # Do outcomes depend on earlier moves?  Then the values of positions aren't final.
    repetition = False
    # The score of one point of Outcome.margin.
    margin_unit = 1
    # The meaning of the game's scores.
    scores = Scores()
    # How the engine plays below its full strength.
    strength = Strength()
    # The maximum length of a game in plies; None if there is no limit.
    max_plies: int | None = None
    # The searches of `bench`: (position text, depth).  None is the start position.
    bench: tuple[tuple[str | None, int], ...] = ((None, 4),)

    # The symmetries of the rules, for scripts/learn: "mirror" (left and right), "flip" (bottom and
    # top), "turn" (by 180 degrees), "transpose" (of a square board, about its diagonal from a1).
    # With " swap" after the name, the players change sides, too; with "swap" alone, nothing else
    # changes.  If the game has features(), "mirror" reverses them, and "turn" rotates them by half
    # their number.  Combinations of these symmetries are added automatically.
    symmetries: tuple[str, ...] = ()

    learned: WeightsFile | None = None  # the file made by scripts/learn, if there is one

    # ---- for front ends --------------------------------------------------------------

    # The move that passes, if the game has passes.
    pass_move: Move | None = None
    # The names of player 0 and player 1.
    colours: tuple[str, str] = ("Black", "White")
    # The name that front ends show; if it is empty, they show `name` with a capital.
    title: str = ""
    # The way in which the board is drawn.
    looks = Looks()
    # The names of the squares: a subclass of Squares if they aren't a1, b1, ...
    squares: type[Squares] = Squares
    # The number of words at the end of a position text that are only counters of moves.  Positions
    # that differ only in these words are the same.
    counter_words = 0
    # The maximum length of a position text, in characters.
    longest_text = 10_000
    # The file with the names of the game's openings (games/openings.py).
    openings = ""
    # The file with the game's opening book (games/openings.py).
    book = ""
    # Are moves written in standard algebraic notation, and games in PGN?
    san = False
    # The text of the start position, unless the game overrides start().
    start_text = ""

    def start(self, options: Options) -> Position:
        """Return the start position.  options: {name: value}, with all options of this game."""
        return self.parse(self.start_text, options)

    def parse(self, text: str, options: Options) -> Position:
        """Parse the text of a position, in the canonical or another accepted form.

        Raises PositionError for anything else.
        """
        raise NotImplementedError

    def position(self, text: str | None, options: Options) -> Position:
        """Return the position of a text, None for the start; see start() and parse()."""
        if text is not None and len(text) > self.longest_text:
            raise PositionError(text[:40], "is the beginning of a text that is too long")
        return self.start(options) if text is None else self.parse(text, options)

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the text of a position from a board editor; "" if the game supports no editor.

        rows: as Position.board returns them.  rights: letters of Looks.rights.  hands: the letters
        of both players' pieces in hand or, in a game with Looks.counters, the counters as text.
        parse() decides whether the position is possible.
        """
        return ""

    def options_for(self, text: str) -> Options:
        """Return the options {name: value} that are needed to play from the position `text`.

        Raises PositionError if the text is not a position.
        """
        return {}

    def split_moves(self, text: str) -> list[str]:
        """Return the move texts in one word of a move list.

        By default, a word is one move.  A game whose transcripts have no spaces splits them here.
        """
        return [text]

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel | None:
        """Return the Kernel (games/kernel.py) that searches `position`, a private copy.

        None means that the search uses legal_moves, make and undo.
        context: see search/context.py.  tree: the Tree that kernel and search share.
        """
        return None


class Position:
    """One position, changed in place.

    Required attributes: game (the Game), side (0 or 1), key (an int below 2**62).
    Positions with the same key have the same legal moves, outcome and evaluation, except for what
    depends on earlier moves.
    """

    game: Game
    side: Side = 0
    key: Key = 0
    text_name = "Text"  # the label of text() in displays that also show fairy_text()

    # ---- required --------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Return a new list of the legal moves, good ones first; empty only if the game is over."""
        raise NotImplementedError

    def make(self, move: Move) -> None:
        """Play a legal move."""
        raise NotImplementedError

    def undo(self) -> None:
        """Take back the last move made."""
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        """Return the Outcome of a finished game, None while it goes on."""
        raise NotImplementedError

    def claim(self) -> Outcome | None:
        """Return the Outcome that the side to move may claim instead of moving, None if it may not.

        In shogi, for example, a king that has entered the promotion zone may win by declaration.
        """
        return None

    def can_win(self, side: Side) -> bool:
        """Return whether `side` can still win by some series of legal moves; True if unknown.

        If a player runs out of time and the opponent can't win, the game is drawn.
        """
        return True

    def text(self) -> str:
        """Return the canonical position text; parse(text()) gives an equal position."""
        raise NotImplementedError

    def move_text(self, move: Move) -> str:
        """Return the canonical text of a legal move."""
        raise NotImplementedError

    def copy(self) -> Position | None:
        """Return an independent position with the same history.

        None if the game can't copy; the caller then plays the moves again from the start.
        """
        return None

    def judge(self) -> Judge:
        """Return the Judge, which evaluates the position and those that its make() leads to.

        The Judge is the position itself, unless scripts/learn has learned weights for the game.
        """
        learned = self.game.learned
        return self if learned is None else learned.judge(self)

    def with_own(self: Own, *names: str) -> Own:
        """Return a copy of the position that has copies of the lists in the attributes `names`."""
        twin = object.__new__(type(self))
        # Don't use twin.__dict__.update(): once an object's __dict__ has been read, CPython reads
        # the object's attributes more slowly, and a search takes a tenth longer.
        for name, value in vars(self).items():
            setattr(twin, name, value[:] if name in names else value)
        return twin

    # ---- moves and their texts -------------------------------------------------------

    def playable_moves(self) -> list[Move]:
        """Return the moves that a front end may still play.

        After a draw by repetition, for example, legal_moves() is empty, but some front ends let the
        players go on.
        """
        return self.legal_moves()

    def parse_move(self, text: str) -> Move:
        """Return the legal move that a text means, in the canonical or another accepted form.

        Raises MoveError for anything else.
        """
        name = text.strip().lower()
        for move in self.legal_moves():
            if self.move_text(move).lower() == name:
                return move
        raise MoveError(text, "is not a legal move here")

    def notation(self, move: Move) -> str:
        """Return a legal move as players write it, which may differ from move_text()."""
        return self.move_text(move)

    def notations(self) -> Mapping[str, Callable[[Move], str]]:
        """Return {name: a method like notation()}: the notations that people may choose from."""
        return {"usual": self.notation}

    def read_notation(self, text: str) -> Move:
        """Return the legal move that a text means.  Raises MoveError if it means none.

        The method reads all texts that notation() and move_text() write.  By default it also reads
        all texts that parse_move() reads, and the exact texts of notations().  A game that
        overrides the method ends it by calling parse_move().
        """
        try:
            return self.parse_move(text)
        except MoveError:
            word, ways = text.strip(), self.notations().values()
            moves = self.playable_moves()
            fitting = [move for move in moves if any(write(move) == word for write in ways)]
            if len(fitting) > 1:
                raise MoveError(text, "fits more than one move") from None
            if not fitting:
                raise
            return fitting[0]

    def read_typed(self, text: str) -> Move:
        """Return the legal move that a person typed.  Raises MoveError if the text means none.

        By default this method reads the same texts as read_notation().
        """
        return self.read_notation(text)

    def move_number(self) -> int | None:
        """Return the number of the next move if both players' moves share one, as in chess.

        None if the game counts single moves.
        """
        return None

    def fairy_move(self, move: Move) -> str:
        """Return a legal move as Fairy-Stockfish writes it: the text for UCI and CECP.

        By default a placement is a drop, `P@d3`, and any other move is move_text().  Passes are
        written by the protocols.  parse_move() also reads these texts, except placements.
        """
        cell = self.placement(move)
        return self.move_text(move) if cell is None else "P@" + squares_of(self).name(cell)

    def fairy_text(self) -> str:
        """Return the position's text for UCI and CECP, by default text().  parse() reads it."""
        return self.text()

    def null_move(self) -> Move | None:
        """Return the null move, which passes the turn but is not among the legal moves.

        make() plays it and changes the key.  None if it is impossible here.  Null move pruning
        plays it if null_allowed().  Some game records contain null moves though the rules forbid
        them.  If the null move is the game's pass_move, players may pass at any turn.
        """
        return None

    def placement(self, move: Move) -> Cell | None:
        """Return the cell (column, row) that `move` fills.

        Columns and rows count from 0: a1 is (0, 0).  None for passes and for moves that are not
        placements.  Protocols use it to write moves.
        """
        return None

    def touched(self, move: Move) -> list[Cell]:
        """Return the cells that `move` touches: the cell that it fills, or all that it visits.

        The piece starts on the first cell and ends on the last.  If several moves share both ends,
        the cells between are clicked one by one.  By default, the cells are the squares named in
        the move's text.  The list is empty if the move, like a pass, names none.
        """
        cell = self.placement(move)
        return squares_of(self).cells_in(self.move_text(move)) if cell is None else [cell]

    def dropped(self, move: Move) -> str | None:
        """Return the piece of hands() that `move` drops, None if it drops none.

        By default it is the text before Looks.drop_sign in the move's text: `Q@e4` drops Q for
        player 0, q for player 1.
        """
        piece, sign, _ = self.move_text(move).partition(self.game.looks.drop_sign)
        if not sign or self.hands() is None:
            return None
        return piece.lower() if self.side else piece.upper()

    # ---- pictures --------------------------------------------------------------------

    def entry(self) -> str:
        """Return the way in which the side to move enters its move, a constant of games/looks.py.

        The constants are MOVE, PLACE and DROP; the default is Looks.entry.  A game in which pieces
        are first placed and later moved overrides this method.
        """
        return self.game.looks.entry

    def board(self) -> Board | None:
        """Return the rows of the board, rank 1 first.

        X is the first player, O the second, `.` is empty; chess-like games use piece
        letters.  A row is a string with one character per cell or, if cells need more
        (stacks, numbers), a list of strings.  HOLE of games/looks.py is a cell that isn't
        part of the board.  None if the position can't be shown on a grid with named squares.
        """
        return None

    def picture(self) -> list[str] | None:
        """Return the lines of the game's own picture, for a board that is not a grid (Kalah).

        Text front ends show it in place of board(); pages and drawings show it only if there is
        no board.  None means that games/grid.py draws board() or, without a board, shows the text.
        """
        return None

    def hands(self) -> tuple[Sequence[str], Sequence[str]] | None:
        """Return the pieces in each player's hand, as board() writes them; None without hands.

        A hand is a string of letters, or a list if a piece needs more than one letter.  dropped()
        says which of them a move drops.
        """
        return None

    def counts(self) -> tuple[str, str] | None:
        """Return a count to show for each player, such as "discs: 12"; None to show none."""
        return None

    def barred_moves(self) -> list[tuple[Move, str]]:
        """Return (move, reason) for moves that are possible for the piece but forbidden by a rule.

        Reasons are phrases such as "the king would be in check" or "a capture is forced".
        """
        return []

    def checkers(self) -> list[Cell] | None:
        """Return the cells of the pieces that give check; None if the game has no check."""
        return None

    def notes(self) -> list[str]:
        """Return extra lines to show below the board (forbidden points, how the score counts).

        By default they are the hands, if there are any.
        """
        hands = [("".join(hand)).upper() or "nothing" for hand in self.hands() or ()]
        words = [f"{colour} {hand}" for colour, hand in zip(self.game.colours, hands)]
        return [f"In hand: {', '.join(words)}"] if words else []

    def node_label(self) -> str:
        """Return the name of this node in the trace of an explicit tree; empty if it has none."""
        return ""

    # ---- values ----------------------------------------------------------------------

    def final_value(self) -> Score | None:
        """Return the value of a finished game for the side to move, None while it goes on.

        It is -WIN, 0 or WIN, or points times margin_unit.  The method may also return None
        if the game has ended only because no move is legal: the search then asks outcome().
        """
        outcome = self.outcome()
        return None if outcome is None else self.value_of(outcome)

    def value_of(self, outcome: Outcome) -> Score:
        """Return the value of `outcome` for the side to move."""
        if outcome.margin is not None:
            value = outcome.margin * self.game.margin_unit
            return value if self.side == 0 else -value
        if outcome.winner is None:
            return 0
        return WIN if outcome.winner == self.side else -WIN

    def win_scale(self) -> Score:
        """Return the advantage that wins about three games in four from this position.

        By default it is the win_scale of Game.scores.  A game whose scores are more reliable at
        some stages than at others overrides this method.
        """
        return self.game.scores.win_scale

    def search_moves(self) -> list[Move]:
        """Return the legal moves worth searching in the tree.

        They must include the winning moves and the replies to threats.
        """
        return self.legal_moves()

    def moves_left(
        self, played: int, seconds: float, memory: Mapping[str, Any]
    ) -> MovesLeft | None:
        """Return the (expected, maximum) number of moves that the side to move has left.

        The expected moves are those worth thinking time; the clock's time is shared among them.
        The maximum counts all moves that may follow.  None if nothing is known: the clock then
        plans as for chess.

        By default, a game whose moves all fill the board is expected to be decided when half of the
        cells that are now empty are filled.  Any other game on a board with N cells is expected to
        last N plies in all, and at least N / 3 more plies from now on.
        played: plies played before, if known.  seconds: time left on the clock.
        memory: what earlier searches of the game stored (Context.memory).
        """
        rows = self.board()
        if rows is None:
            return None
        cells = [cell for row in rows for cell in row]
        if overrides(self, "placement") and not overrides(self, "entry"):
            own = (sum(cell == "." for cell in cells) + 1) // 2
            return max(own / 2, 1.0), max(own, 1)
        return max(len(cells) - played, len(cells) / 3) / 2, _LONGEST_GAME

    # ---- knowledge beyond the rules, which makes the search stronger -----------------
    #
    # The search doesn't call methods that the game doesn't override (see `overrides`).

    def evaluate(self) -> Score:
        """Return the static evaluation for the side to move: by default, the sum of its terms."""
        return sum(score for _, score in self.evaluation_terms())

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        """Return [(name, score for the side to move)]; the scores add up to evaluate().

        The list may be empty.
        """
        return []

    def order_moves(self, moves: Sequence[Move]) -> list[int]:
        """Return a score from -2**20 to 2**20 for each move; the highest are searched first.

        Called once per node, and once for the root's moves before the first iteration.
        By default the search keeps the order of legal_moves().
        """
        return [0] * len(moves)

    def noisy_moves(self) -> list[Move]:
        """Return the legal moves that quiescence searches (captures, promotions).

        In a game without captures, they are wins and forced replies.  They must be few, or the
        search doesn't end.  By default there is no quiescence.
        """
        return []

    def in_check(self) -> bool:
        """Must the side to move answer a threat?

        If so, the node is searched a ply deeper, and its moves are not reduced.
        """
        return False

    def null_allowed(self) -> bool:
        """May null move pruning play null_move()?  Not if zugzwang is likely, nor in check."""
        return False

    # ---- at the root -----------------------------------------------------------------

    solver_share = 0.0  # the share of the option Hash that `solve` uses for its own tables

    def solve(self, context: Context) -> Iterable[Line]:
        """Yield better and better Lines for the root, the last exact if possible.

        context: see search/context.py.

        The solver runs first.  If none of its Lines was exact, iterative deepening uses the
        remaining time.  It goes on from the depth of the last Line whose score is an estimate, not
        a bound.  If the solver has refuted that Line's move and removed it from context.root_moves,
        iterative deepening starts from depth 1.
        """
        return ()

    def book_moves(self, options: Options) -> list[tuple[Move, int]]:
        """Return [(move, weight)] from the book that the game or the options name, heaviest first.

        By default it is the game's own book, whether or not the options allow playing from it.
        """
        from games.openings import moves_of_book

        return moves_of_book(self) if self.game.book else []

    def known_results(self) -> dict[Move, tuple[Score, Score]]:
        """Return {move: (least, greatest possible score)} for moves with a proven result."""
        return {}

    def features(self) -> Sequence[int]:
        """Return the features that scripts/learn learns from; () means the cells of board().

        Features are numbers from 0 to 63 that don't depend on the side to move.  All positions have
        the same number of features.
        """
        return ()


def overrides(position: Position, name: str) -> bool:
    """Does the class of `position` override the method `name` of Position?"""
    return getattr(type(position), name) is not getattr(Position, name)
