"""The lines with which UCI tells of a search and of a position."""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.grid import picture
from protocol import moves
from search.textbook import INFINITY
from search.wdl import wdl


def score_words(score):
    """`cp N`, or `mate N` in the winner's moves, negative for the side that loses."""
    if abs(score) <= MAX_SCORE:
        return f"cp {score}"
    count = (WIN - abs(score) + 1) // 2
    return f"mate {count if score > 0 else -count}"


def line_words(position, line):
    """The principal variation in UCI's dress; `position` is left as it was."""
    words = []
    for move in line:
        words.append(moves.drop(position, move))
        position.make(move)
    for _ in line:
        position.undo()
    return words


def report_line(report, position, show_wdl=False):
    """The info line of a Report."""
    counters = (f"nodes {report.nodes} nps {round(report.nodes / max(report.seconds, 0.001))}"
                f" hashfull {report.hashfull} tbhits 0 time {round(report.seconds * 1000)}")
    line = report.line
    if line is None:
        if report.current is None:
            return f"info {counters}"
        move, number = report.current
        return f"info currmove {moves.drop(position, move)} currmovenumber {number} {counters}"
    chances = " wdl {} {} {}".format(*wdl(line.score, position.game.win_scale)) if show_wdl else ""
    return (f"info depth {line.depth} seldepth {max(report.seldepth, line.depth)} multipv {line.multipv}"
            f" score {score_words(line.score)}{chances} {counters} pv {' '.join(line_words(position, line.moves))}")


def finished_line(position):
    """The info line for `go` in a finished game."""
    value = position.final_value()
    if value is None:
        value = position.value_of(position.outcome()) if position.outcome() else 0
    if value <= -WIN:
        return "info depth 0 score mate 0"
    return f"info depth 0 score {'mate 1' if value >= WIN else f'cp {value}'}"


def trace_line(event):
    """The info string of an event of a traced tree search."""
    if event[0] == "pruned":
        return " ".join(["info string pruned"] + event[1])
    _, name, alpha, beta = event
    return f"info string visit {name} alpha {_bound(alpha, '-inf')} beta {_bound(beta, 'inf')}"


def _bound(value, open_end):
    if value is None or abs(value) == INFINITY:
        return open_end
    return "W" if value == WIN else "L" if value == -WIN else str(value)


def result_words(position):
    """`*`, or the result (1 = the player who moves first) and the reason in words."""
    outcome = position.outcome()
    if outcome is None:
        return "*"
    return f"{('1-0', '0-1')[outcome.winner] if outcome.winner is not None else '1/2-1/2'} {outcome.reason}"


def display(position):
    """The lines of `d`."""
    board = position.board()
    lines = picture(board, position.game.rank_one_on_top) if board else [position.text()]
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    return lines + position.notes() + [
        "", f"Fen: {position.text()}", f"Key: {position.key:016X}", f"Moves: {legal}".rstrip() or "Moves:",
        f"Result: {result_words(position)}"]
