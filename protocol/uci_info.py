"""The lines with which UCI tells of a search and of a position."""
from __future__ import annotations

from games.base import WIN
from games.grid import picture
from protocol import moves
from protocol.scores import result_of
from search.textbook import INFINITY
from search.wdl import mate_moves, wdl


def score_words(score, position, line=()):
    """`cp N`, or `mate N` in the winner's moves, negative for the side that loses; line: its principal variation."""
    mate = mate_moves(score, position, line)
    return f"cp {score}" if mate is None else f"mate {mate}"


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
    variation = " ".join(moves.sequence(position, line.moves, moves.drop))
    return (f"info depth {line.depth} seldepth {max(report.seldepth, line.depth)} multipv {line.multipv}"
            f" score {score_words(line.score, position, line.moves)}{chances} {counters} pv {variation}")


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
    return f"{result_of(outcome)} {outcome.reason}"


def display(position):
    """The lines of `d`."""
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    return picture(position) + position.notes() + [
        "", f"Fen: {position.text()}", f"Key: {position.key:016X}", f"Moves: {legal}".rstrip() or "Moves:",
        f"Result: {result_words(position)}"]
