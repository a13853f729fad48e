"""What a game is: the contract that every game owes, and the knowledge that it may add.

A game is two classes in one file (or one folder).  `Game` holds the facts: names, options, what a search may
assume.  `Position` holds one position and changes in place: `make` plays a move, `undo` takes it back.

Owed by every game (everything else has a default that works):

    Game:      name, start()
               parse()                              position text -> position
    Position:  side, key, legal_moves(), make(), undo(), outcome(), text(), move_text()

Knowledge that a game may add, each documented where it is declared below: an evaluation, noisy moves for
quiescence, an order for moves, a null move, the cell that a move fills, a board picture, a probe, a solver,
a main search of its own.

Moves are non-negative ints below 2**20, their meaning is the game's own business.  Keys are ints below 2**62.
Players are 0 (moves first) and 1.  Scores are ints in the game's own unit, from the view of the side to move.
Games print nothing, know no protocol, and no game knows another game.
"""
from __future__ import annotations

from games.files import open_data

# A won game.  A win `n` plies away scores WIN - n; every evaluation lies strictly inside +-MAX_SCORE.
WIN = 1_073_000_000
MAX_SCORE = 1_072_000_000


class GameError(ValueError):
    """A text that is no position or no move of this game; `text` is the offending part, `reason` says why."""

    def __init__(self, text, reason):
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"{shown}: {reason}" if shown else reason)
        self.text, self.reason = text, reason


class PositionError(GameError):
    """A malformed or impossible position text."""


class MoveError(GameError):
    """A move text that can't be read, or a move that is not legal here."""


class GiveUp(Exception):
    """A solver has had its share of the search: what is left belongs to the main search."""


class Outcome:
    """How a game ended.

    winner: 0, 1 or None for a draw.  reason: in words, without a full stop.
    margin: where the game counts points, by how many the first player won (negative: lost); else None.
    """

    __slots__ = ("winner", "reason", "margin")

    def __init__(self, winner, reason, margin=None):
        self.winner, self.reason, self.margin = winner, reason, margin

    def __repr__(self):
        return f"Outcome(winner={self.winner}, reason={self.reason!r}, margin={self.margin})"


class Line:
    """One answer of a search.

    score: for the side to move at the root.  moves: the principal variation, at least its first move.
    depth: in plies.  exact: the score is proven.  multipv: rank from 1.  bound: "" or "lower" or "upper".
    """

    __slots__ = ("score", "moves", "depth", "exact", "multipv", "bound")

    def __init__(self, score, moves, depth, exact=False, multipv=1, bound=""):
        self.score, self.moves, self.depth = score, moves, depth
        self.exact, self.multipv, self.bound = exact, multipv, bound


class Option:
    """A setting that users may change, declared once as data; every protocol's listing and parsing reads it.

    kind: "check" (bool), "spin" (int within low..high), "combo" (one of choices), "string" or "button".
    is_file: a string that is empty or names a file that can be read.
    """

    __slots__ = ("name", "kind", "default", "low", "high", "choices", "help", "is_file")

    def __init__(self, name, kind, default=None, low=None, high=None, choices=(), help="", is_file=False):
        self.name, self.kind, self.default = name, kind, default
        self.low, self.high, self.choices, self.help, self.is_file = low, high, choices, help, is_file

    def read(self, text):
        """The typed value of `text`; ValueError in words where it is not one."""
        value = text.strip()
        if self.kind == "check":
            if value.lower() not in ("true", "false"):
                raise ValueError(f"{self.name} must be true or false, not '{value}'")
            return value.lower() == "true"
        if self.kind == "spin":
            try:
                number = int(value[:20])
            except ValueError:
                raise ValueError(f"{self.name} must be a whole number, not '{value[:40]}'") from None
            if not self.low <= number <= self.high:
                raise ValueError(f"{self.name} must lie in {self.low}..{self.high}, not {number}")
            return number
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            raise ValueError(f"{self.name} must be one of {' '.join(self.choices)}, not '{value[:40]}'")
        if self.kind == "string":
            return self._read_string("" if value == "<empty>" else value)
        return None

    def _read_string(self, value):
        if self.is_file and value:
            try:
                open_data(value).close()
            except (OSError, ValueError) as error:
                raise ValueError(f"{self.name}: {value[:80]} can't be read: {getattr(error, 'strerror', error)}") from None
        return value


class Game:
    """The facts of a game.  One instance serves all its positions."""

    name = ""                  # canonical, lower case
    aliases = ()               # other names that choose it
    options = ()               # Option objects; their values reach start() and parse() as {name: value}

    # What a search may assume.
    textbook = False           # explicit trees: searched whole, child by child, by the algorithm of the lecture
    reductions = False         # late moves may be searched shallower (never in small games that are to be solved)
    alternates = False         # the players take turns, one move each (passes are moves): nothing is spent on looking
    repetition = False         # outcomes depend on the moves before: no value of a position is final for good
    margin_unit = 1            # score of one point of Outcome.margin
    bench = ((None, 4),)       # (position text or None for the start, depth): what `bench` searches
    win_scale = 200            # an advantage of this score wins about three games in four
    decided = None             # from this score on a game is held decided without a proof; None where none is
    solver_share = 0.0         # of the megabytes of the tables: what `solve` takes for its own
    max_plies = None           # no game is longer than this; None where there is no such bound

    # What a front end may want to know.
    pass_move = None           # the move that is a pass, where the game has one
    rank_one_on_top = False    # Othello's habit; the other boards have rank 1 at the bottom
    colours = ("Black", "White")   # of player 0 and player 1 in words

    def start(self, options):
        """The start position.  options: {name: value} for at least this game's options."""
        raise NotImplementedError

    def kernel(self, position, context, tree):
        """The Kernel (games/kernel.py) that searches `position`, a private copy; None: legal_moves, make and undo do.

        context: of search/context.py.  tree: what the kernel shares with the search.
        """
        return None

    def split_moves(self, text):
        """The move texts in one word of a move list: a game whose transcripts run together splits them."""
        return [text]

    def parse(self, text, options):
        """The position of a canonical text (and of the other forms that the game reads); else PositionError."""
        raise NotImplementedError


class Position:
    """One position, changed in place.  Attributes owed: game (the Game), side (0 or 1), key (int below 2**62).

    Positions with the same key have the same legal moves, outcome and evaluation (history aside).
    """

    game = None
    side = 0
    key = 0

    # ---- owed -------------------------------------------------------------------------------------------

    def legal_moves(self):
        """A new list of the legal moves, likely good ones first; empty if and only if the game is over."""
        raise NotImplementedError

    def make(self, move):
        """Play a legal move."""
        raise NotImplementedError

    def undo(self):
        """Take back the last move made."""
        raise NotImplementedError

    def outcome(self):
        """The Outcome of a finished game, None while it goes on."""
        raise NotImplementedError

    def text(self):
        """The canonical position text; parse(text()) gives an equal position."""
        raise NotImplementedError

    def move_text(self, move):
        """The canonical text of a legal move."""
        raise NotImplementedError

    # ---- defaults that a game may replace by something faster or better ---------------------------------

    def playable_moves(self):
        """The moves that a front end may still ask for: all legal ones.

        More only where the game is drawn by a rule that not everybody invokes, so that the players may go on.
        """
        return self.legal_moves()

    def parse_move(self, text):
        """The legal move of a canonical text (or of the other forms that the game reads); else MoveError."""
        wanted = text.strip().lower()
        for move in self.legal_moves():
            if self.move_text(move).lower() == wanted:
                return move
        raise MoveError(text, "is not a legal move here")

    def placement(self, move):
        """The cell (column, row) that `move` fills, both from 0 as in its square's name (a1 is (0, 0)).

        None for passes and for moves that are no placements.  Protocols dress placements by it.
        """
        return None

    def board(self):
        """The rows of the board, rank 1 first: X first player, O second, `.` empty; piece letters in chess-like games.

        A row is a string of one character a cell or, where cells need more (stacks, numbers), a list of strings.
        None where no grid with named squares shows the position.
        """
        return None

    def picture(self):
        """The lines of a picture of the game's own, for what a grid can't show (the houses of Kalah).

        None: games/grid.py makes it of board() or, where there is none, of the text.
        """
        return None

    def notes(self):
        """Extra lines for the board picture (forbidden points, what counts in the end); none by default."""
        return []

    def final_value(self):
        """The value of a finished game for the side to move, None while it goes on.

        -WIN, 0 or WIN, or points times margin_unit.  A game may answer None where only the lack of legal
        moves would tell: a search that finds no legal move asks outcome().
        """
        outcome = self.outcome()
        return None if outcome is None else self.value_of(outcome)

    def value_of(self, outcome):
        """The value of `outcome` for the side to move."""
        if outcome.margin is not None:
            value = outcome.margin * self.game.margin_unit
            return value if self.side == 0 else -value
        if outcome.winner is None:
            return 0
        return WIN if outcome.winner == self.side else -WIN

    # ---- knowledge --------------------------------------------------------------------------------------

    def evaluate(self):
        """The static evaluation for the side to move, in the unit of the scores."""
        return 0

    def evaluation_terms(self):
        """[(name, score)] for the side to move, adding up to evaluate(); empty where there are no terms."""
        return []

    def node_label(self):
        """The name of this node in the trace of an explicit tree; empty where it has none."""
        return ""

    # search_moves(): the legal moves worth searching in the tree, where that is fewer than all of them.
    # None: all.  Wins, and replies to what would lose, must be among them.
    search_moves = None

    # opening_moves(context): equally good moves here, for the option Variety to choose from; empty where there is no
    # choice.
    opening_moves = None

    # perft(depth): leaf count by a faster way than make and undo.  None: make and undo.
    perft = None

    # noisy_moves(): the legal moves that quiescence searches (captures, promotions).  None: no quiescence.
    noisy_moves = None

    # order_moves(moves): a list of ints, one a move, higher is searched earlier (below 2**20 in size).
    # None: legal_moves() order stands.  Asked for once a node, after table move and killers are known.
    order_moves = None

    # in_check(): the side to move has to answer a threat.  Such nodes are searched a ply deeper and not reduced.
    in_check = None

    # make_null() / undo_null(): pass the turn, where the game allows a search to reason so.
    # null_allowed(): False in check and where zugzwang is likely.  None: no null move.
    make_null = None

    # probe(alpha, beta, depth): an exact value of this position for the side to move, or None.
    # Asked for at every node, so it must be cheap against a node.
    probe = None

    # solve(context): a generator of exact or better and better answers for the root; see search/context.py.
    # Runs before iterative deepening, which fills what time is left if no answer was exact.
    solve = None
