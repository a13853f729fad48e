"""The same game, sent in every protocol, reaches the same position."""

import pytest
from front_end import InProcessEngine
from tables import rows

OTHELLO = "f5 d6 c3 d3 c4 f4 f6 f3"
GOMOKU = "h8 i9 h9 h10 g8 i8"
CONNECT4 = "d1 d2 c1 e1 d3"
TICTACTOE = "b2 a1 c3"
CHESS = "e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1"


def coordinates(squares, size=15):
    """Return squares as Gomocup's x,y, where y counts from the top."""
    return [f"{ord(square[0]) - ord('a')},{size - int(square[1:])}" for square in squares]


def vertices(squares):
    """Return squares as GTP's vertices, which skip the letter I."""
    return ["ABCDEFGHJKLMNOPQRST"[ord(square[0]) - ord("a")] + square[1:] for square in squares]


def drops(squares):
    return [f"P@{square}" for square in squares]


def uci(game, words):
    return InProcessEngine("uci").send(
        f"setoption name UCI_Variant value {game}", f"position startpos moves {' '.join(words)}"
    )


def cecp(variant, words):
    return InProcessEngine("cecp").send(
        "protover 2", "new", f"variant {variant}", "force", *(f"usermove {word}" for word in words)
    )


def gtp(game, words):
    colours = "bw" if game != "chess" else "wb"
    return InProcessEngine("gtp").send(
        f"set_game {game}", *(f"play {colours[ply % 2]} {word}" for ply, word in enumerate(words))
    )


def gomocup(rule, words):
    block = [f"{word},{ply % 2 + 1}" for ply, word in enumerate(words)]
    return InProcessEngine("gomocup").send(
        "START 15", f"INFO rule {rule}", "YXBOARD", *block, "DONE"
    )


def gomocup_by_moves(rule, words):
    return InProcessEngine("gomocup").send(
        "START 15", f"INFO rule {rule}", *(f"PLAY {word}" for word in words)
    )


def nboard(words):
    start = "-" * 27 + "O*------*O" + "-" * 27 + " *"
    moves = [f"{'BW'[ply % 2]}[{word.upper()}]" for ply, word in enumerate(words[:4])]
    return InProcessEngine("nboard").send(
        "nboard 2",
        f"set game (;GM[Othello]TY[8]BO[8 {start}]{''.join(moves)};)",
        *(f"move {word}" for word in words[4:]),
    )


def engines_with_the_game(game):
    if game == "chess":
        words = CHESS.split()
        return [uci("chess", words), cecp("normal", words), gtp("chess", words)]
    if game == "othello":
        words = OTHELLO.split()
        return [
            uci("othello", drops(words)),
            cecp("othello", drops(words)),
            nboard(words),
            gtp("othello", vertices(words)),
        ]
    if game in ("gomoku", "gomokufreestyle", "renju"):
        words, rule = GOMOKU.split(), {"gomokufreestyle": 0, "gomoku": 1, "renju": 4}[game]
        points = coordinates(words)
        return [
            uci(game, drops(words)),
            cecp(game, drops(words)),
            gtp(game, vertices(words)),
            gomocup(rule, points),
            gomocup_by_moves(rule, points),
        ]
    words = (CONNECT4 if game == "connect4" else TICTACTOE).split()
    return [uci(game, drops(words)), cecp(game, drops(words)), gtp(game, vertices(words))]


@pytest.mark.parametrize(
    "game, plies", rows("same_game.a_game_reaches_the_same_position_in_all_protocols")
)
def test_a_game_reaches_the_same_position_in_all_protocols(game, plies):
    sessions = [engine.session for engine in engines_with_the_game(game)]
    assert {session.game.name for session in sessions} == {game}
    assert {len(session.moves) for session in sessions} == {plies}
    assert len({session.position.text() for session in sessions}) == 1
    assert len({session.position.key for session in sessions}) == 1
