"""Random front-end sessions: sensible lines of each protocol along a real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from games import registry
from games.base import Position
from protocol import moves


def alternatives(text: str) -> list[str]:
    """Return the parts of a text between bars, without the spaces around them."""
    return [part.strip() for part in text.split("|")]


GAMES = registry.built_in()
BOARDS = [name for name in GAMES if name != "tree"]
_GOMOKU = ("gomoku", "gomokufreestyle", "renju")
TREES = alternatives("""
    ((3 5) (6 9)) min | (A:(D:(3 5) E:(6 9)) B:(F:(1 2) G:(0 -1))) | ((W L) L (L W W)) | 7 |
    (1 (2 (3 -4)))
""")


class Walk:
    """A random game of `name`: its position and the texts of its moves."""

    def __init__(self, dice: Random, name: str) -> None:
        self._dice, self.name = dice, name
        self.game = registry.get(name)
        self.restart()

    def restart(self) -> None:
        """Return to the start."""
        values = {option.name: option.default for option in self.game.options}
        self.position = self.game.start(values)
        self.words: list[str] = []

    def step(self, notation: Callable[[Position, int], str]) -> str:
        """Play a legal move, of a new game if this one is over; return notation(position, move)."""
        if not self.position.legal_moves():
            self.restart()
        move = self._dice.choice(self.position.legal_moves())
        text = notation(self.position, move)
        self.words.append(moves.drop(self.position, move))
        self.position.make(move)
        return text

    def line(self) -> str:
        """Return UCI's line for the position."""
        return " ".join(["position startpos", *["moves"] * bool(self.words), *self.words])

    def legal(self) -> set[str]:
        """Return all playable moves in UCI notation, even after a claimable draw."""
        return {moves.drop(self.position, move) for move in self.position.playable_moves()}


_UCI_LIMITS = alternatives("""
    depth 1 | depth 2 | nodes 60 | movetime 5 | wtime 40 btime 40 | mate 1 | perft 1 |
    depth 2 searchmoves | infinite | ponder | ponder wtime 60 btime 60 | movetime 3 depth 2 |
    wtime 90 winc 1 movestogo 2
""")
_UCI_OPTIONS = alternatives("""
    Hash value 2 | Hash value 70 | MultiPV value 3 | Clear Hash | Skill Level value 3 |
    Trace value true | UCI_LimitStrength value true | UCI_Elo value 900 | UCI_Chess960 value true |
    BoardSize value 9 | Variety value true | Seed value 3 | Move Overhead value 0 |
    UCI_ShowWDL value true | BookFile value / | Algorithm value minimax | OwnBook value false
""")
_UCI_OTHERS = alternatives("""
    isready | ucinewgame | stop | ponderhit | d | eval | help | uci | debug on
""")


def uci(dice: Random, count: int) -> Iterator[str]:
    """Yield `count` lines of UCI, with short searches."""
    walk = Walk(dice, "chess")
    for _ in range(count):
        kind = dice.randrange(16)
        if kind == 0:
            walk = Walk(dice, dice.choice(BOARDS))
            yield f"setoption name UCI_Variant value {walk.name}"
        elif kind < 5:
            for _ in range(dice.choice((1, 1, 2, 7))):
                walk.step(moves.drop)
            yield "position startpos moves " + " ".join(walk.words)
        elif kind == 5:
            yield f"position fen {walk.position.text()}"
        elif kind < 11:
            limit = dice.choice(_UCI_LIMITS)
            some = sorted(walk.legal())[:2] if limit.endswith("searchmoves") else []
            yield " ".join(["go", limit, *some])
        elif kind == 11:
            yield "setoption name " + dice.choice(_UCI_OPTIONS)
        elif kind == 12:
            yield "setoption name UCI_Variant value tree"
            yield "position fen " + dice.choice(TREES)
            walk.restart()
        else:
            yield dice.choice(_UCI_OTHERS)


_GTP_SEARCHES = alternatives("""
    genmove b | genmove w | reg_genmove b | lz-analyze 5 | kata-analyze b 2 | analyze |
    lz-genmove_analyze w 3 | plyglot-best_moves | plyglot-move_values | plyglot-pv | plyglot-score |
    kata-genmove_analyze b 1 maxmoves 2
""")
_GTP_SETTINGS = alternatives("""
    time_settings 0 1 20 | time_settings 2 0 0 | time_left b 1 0 | time_left w 0 0 |
    plyglot-param Genmove_Time 9 | plyglot-param | plyglot-param Hash 3 | komi 6.5 |
    plyglot-param BoardSize 7 | plyglot-param Live_Graphics 1 | boardsize 9 | boardsize 7 |
    rectangular_boardsize 7 6 | plyglot-param BookFile /
""")
_GTP_OTHERS = alternatives("""
    undo | gg-undo 2 | showboard | final_score | clear_board | list_commands | name | printsgf |
    cputime | gogui-rules_legal_moves | gogui-rules_board | gogui-rules_side_to_move |
    gogui-rules_final_result | gogui-analyze_commands | known_command play | plyglot-position |
    plyglot-eval | list_games | version | # interrupt | loadsgf / | gogui-version 1.6 | help |
    gogui-rules_board_gfx | gogui-interrupt
""")


def gtp(dice: Random, count: int) -> Iterator[str]:
    """Yield `count` lines of GTP, with short searches."""
    walk, colours = Walk(dice, "chess"), "bw"
    yield "plyglot-param Genmove_Nodes 50"
    for _ in range(count):
        kind = dice.randrange(16)
        number = dice.choice(("", "", f"{dice.randrange(1000)} "))
        if kind == 0:
            walk = Walk(dice, dice.choice(BOARDS))
            yield f"set_game {walk.name}"
        elif kind < 6:
            if not walk.words:
                yield "clear_board"
            colour = dice.choice(colours) if dice.random() < 0.2 else colours[walk.position.side]
            yield f"{number}play {colour} {walk.step(moves.vertex)}"
        elif kind < 9:
            yield number + dice.choice(_GTP_SEARCHES)
        elif kind == 9:
            yield dice.choice(_GTP_SETTINGS)
        elif kind == 10:
            yield "play_sequence b A1 w B1"
        else:
            yield number + dice.choice(_GTP_OTHERS)


_CECP_SETTINGS = alternatives("""
    level 40 0:01 0 | level 0 1 1 | st 1 | sd 2 | sd 1 | time 50 | otim 100 | time 0 | memory 20 |
    cores 2 | option MultiPV=2 | option Clear Hash | option BoardSize=8
""")
_CECP_OTHERS = alternatives("""
    force | force | post | nopost | undo | remove | exit | . | ping 5 | result 1-0 {x} |
    protover 2 | white | black | easy | hard | draw | computer | random | name x | accepted ping |
    bk | rating 1 2
""")


def cecp(dice: Random, count: int) -> Iterator[str]:
    """Yield `count` lines of CECP, with short searches."""
    walk = Walk(dice, "chess")
    yield "sd 2"
    for _ in range(count):
        kind = dice.randrange(16)
        if kind == 0:
            walk = Walk(dice, dice.choice(BOARDS))
            yield "variant " + {"chess": "normal"}.get(walk.name, walk.name)
        elif kind < 6:
            yield dice.choice(("usermove ", "usermove ", "")) + walk.step(moves.drop)
        elif kind == 6:
            yield f"setboard {walk.position.text()}"
        elif kind == 7:
            yield dice.choice(_CECP_SETTINGS)
        elif kind < 10:
            yield dice.choice(("go", "playother", "analyze", "hint", "?"))
        elif kind == 10:
            walk.restart()
            yield "new"
        else:
            yield dice.choice(_CECP_OTHERS)


_GOMOCUP_INFO = alternatives("""
    timeout_turn 10 | timeout_turn 0 | timeout_match 1000 | time_left 200 | game_type 1 |
    max_memory 83886080 | folder / | evaluate 3,3 | timeout_match 0 | rule 1
""")


def gomocup(dice: Random, count: int) -> Iterator[str]:
    """Yield `count` lines of the Gomocup protocol, with short searches."""
    walk = Walk(dice, "gomokufreestyle")

    def point(position: Position, move: int) -> str:
        cell = position.placement(move)
        assert cell is not None  # every move of Gomoku places a stone
        return "{},{}".format(*moves.coordinates(position, cell))

    yield "INFO timeout_turn 20"
    for _ in range(count):
        kind = dice.randrange(14)
        if kind == 0:
            walk = Walk(dice, dice.choice(_GOMOKU))
            yield f"INFO rule {dice.choice((0, 1, 4, 5, 8))}"
        elif kind == 1:
            walk.restart()
            yield dice.choice(
                ("START 15", "START 15", "RESTART", "RECTSTART 15,15", "START 9", "START 30")
            )
        elif kind < 5:
            yield "TURN " + walk.step(point)
        elif kind == 5:
            yield dice.choice(("BOARD", "YXBOARD"))
            for number in range(dice.randrange(9)):
                yield f"{walk.step(point)},{1 + number % 2}"
            yield "DONE"
        elif kind == 6:
            yield "PLAY " + walk.step(point)
        elif kind == 7:
            yield f"TAKEBACK {dice.randrange(15)},{dice.randrange(15)}"
        elif kind < 10:
            yield "INFO " + dice.choice(_GOMOCUP_INFO)
        else:
            yield dice.choice(("BEGIN", "ABOUT", "YXSTOP", "STOP", "SWAP2BOARD", "DONE"))


def nboard(dice: Random, count: int) -> Iterator[str]:
    """Yield `count` lines of NBoard, with short searches."""
    walk = Walk(dice, "othello")

    def notation(position: Position, move: int) -> str:
        return "PA" if move == position.game.pass_move else position.move_text(move).upper()

    yield "set depth 2"
    for number in range(count):
        kind = dice.randrange(10)
        if kind < 4:
            yield "move " + walk.step(notation) + dice.choice(("", "/1.00/0.5", "//2"))
        elif kind == 4:
            walk.restart()
            board = walk.position.text().replace("X", "*")
            yield f"set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5]TY[8]BO[8 {board}];)"
        elif kind < 7:
            yield dice.choice(("go", "hint 3", "hint 1"))
        else:
            others = alternatives("set depth 1 | set depth 3 | set contempt 5 | learn | nboard 2")
            yield dice.choice([f"ping {number}", *others])


class Wire(NamedTuple):
    """A protocol from the front end's side.

    greeting: its first line.  lines(dice, count): yields a session.  farewell: its last line.
    stop: lines that end one search each time they are sent.
    question, answer: a line with a number, and its answer once all earlier lines are done.
    """

    greeting: str
    lines: Callable[[Random, int], Iterator[str]]
    stop: tuple[str, ...]
    question: str
    answer: str
    farewell: str = "quit"

    def sync(self, token: int) -> tuple[str, str]:
        """Return the question with this number, and its answer."""
        return self.question.format(token), self.answer.format(token)


_UNKNOWN = "info string error: unknown command: sync-{}"
WIRES = {
    "uci": Wire("uci", uci, ("stop", "isready"), "sync-{}", _UNKNOWN),
    "gtp": Wire("name", gtp, ("# interrupt",), "{} sync", "?{} unknown command"),
    "cecp": Wire("xboard", cecp, ("?", "exit"), "ping {}", "pong {}"),
    "gomocup": Wire("START 15", gomocup, ("YXSTOP",), "sync-{}", "UNKNOWN sync-{}", "END"),
    "nboard": Wire("nboard 2", nboard, (), "ping {}", "pong {}"),
}
