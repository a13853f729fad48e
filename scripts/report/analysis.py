"""Every position of a game through an engine, and what that says about the moves.

A move is judged by the expected score (1 for a win, 1/2 for a draw) that it gave away: the engine's word on the
position before it against its word on the position after it, both turned into chances by the curve of search/wdl.py.
"""
from __future__ import annotations

from games.base import GameError
from protocol.moves import read as read_move
from scripts.arena.process import EngineError
from scripts.records.record import Note
from search.wdl import wdl

# A move that gives away so much of the expected score is an inaccuracy, a mistake, a blunder.
MARKS = ((0.25, "??"), (0.15, "?"), (0.08, "?!"))
NAMES = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}

LONGEST_LINE = 10       # moves of a better line that are kept
PATIENCE = 60.0         # seconds beyond the limits after which an engine has stalled


class Verdict:
    """What is known of one position, for the player who moves first.

    score: in the game's unit, None where it is a proven win.  mate: the winner's moves to it, negative where the
    second player wins; 0 where the game is over.  chance: the expected score.  line: the best moves.  depth: plies.
    """

    def __init__(self, score, mate, chance, line=(), depth=None):
        self.score, self.mate, self.chance, self.line, self.depth = score, mate, chance, list(line), depth


def judge(position, answer):
    """The Verdict of an engine's Answer on `position`."""
    told, sign = answer.best, 1 if position.side == 0 else -1
    line = _read_line(position, told.moves) or ([answer.move] if answer.move is not None else [])
    if told.mate is not None:
        return Verdict(None, sign * told.mate, 0.5 + 0.5 * sign * (1 if told.mate > 0 else -1), line, told.depth)
    score = sign * (told.score or 0)
    return Verdict(score, None, expected(score, position.game), line, told.depth)


def final_verdict(position):
    """The Verdict of a finished game."""
    outcome = position.outcome()
    chance = 0.5 if outcome.winner is None else 1.0 - outcome.winner
    if outcome.margin is not None:
        score = outcome.margin * position.game.margin_unit
        return Verdict(score, None, expected(score, position.game) if position.game.textbook else chance)
    return Verdict(0, None, chance) if outcome.winner is None else Verdict(None, 0, chance)


def expected(score, game):
    """The expected score of the player who has `score`."""
    win, draw, _ = wdl(score, game.win_scale)
    return (win + draw / 2) / 1000


def _read_line(position, texts):
    """The moves of an engine's principal variation, as far as they can be read."""
    line = []
    for text in texts[:LONGEST_LINE]:
        try:
            move = read_move(position, text)
        except GameError:
            break
        line.append(move)
        position.make(move)
    for _ in line:
        position.undo()
    return line


def analyse(record, engine, limits, progress=lambda done, total: None):
    """(Verdicts of all positions, the last one included; Notes of all moves) by a scripts.arena Client."""
    engine.new_game()
    position, verdicts, total = record.start.position(), [], len(record.moves)
    for ply in range(total + 1):
        progress(ply, total)
        if position.outcome() is not None:
            verdicts.append(final_verdict(position))
        elif ply < total and len(position.legal_moves()) == 1:
            verdicts.append(None)       # an engine hardly looks at it: the next position tells more
        else:
            verdicts.append(judge(position, _ask(record, ply, engine, limits)))
        if ply < total:
            position.make(record.moves[ply])
    for ply in range(total - 1, -1, -1):
        position.undo()
        if verdicts[ply] is None:
            verdicts[ply] = _forced(position, record.moves[ply], verdicts[ply + 1])
    return verdicts, notes(record, verdicts)


def _ask(record, ply, engine, limits):
    """The engine's Answer before move number `ply`."""
    due = limits.movetime
    answer = engine.think(record.start, record.moves[:ply], limits, due and due + 1.0, due and PATIENCE)
    if answer.score is None and answer.mate is None:
        raise EngineError("the engine tells no score: it can't analyse")
    return answer


def _forced(position, move, after):
    """The Verdict of a position with one legal move, from the one after it."""
    mate = after.mate
    if mate is not None and position.side == (after.chance < 0.5):
        mate += 1 if after.chance > 0.5 else -1
    return Verdict(after.score, mate, after.chance, [move] + after.line, after.depth)


def notes(record, verdicts):
    """The Note of each move."""
    found = []
    for ply, (position, move) in enumerate(record.positions()):
        before, after = verdicts[ply], verdicts[ply + 1]
        lost = (before.chance - after.chance) * (1 if position.side == 0 else -1)
        mark = ""
        if before.line and before.line[0] != move:
            mark = _mark(lost, position.game)
        better = before.line if mark else ()
        found.append(Note(after.score, after.mate, mark, better, after.depth, max(lost, 0.0)))
    return found


def _mark(lost, game):
    """The mark of a move that gave `lost` away; in explicit trees, whose values are exact, whatever is lost counts."""
    mark = next((mark for least, mark in MARKS if lost >= least), "")
    return mark or ("?" if game.textbook and lost > 0 else "")
