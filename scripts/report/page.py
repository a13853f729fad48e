"""The report: one HTML page that needs nothing else: of each game the board, the graph, the
moves and the accuracy.
"""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from protocol.records.record import Record
from protocol.records.san import move_words
from scripts.drawing.svg import escape
from scripts.report.data import game_data
from scripts.report.graph import graph
from scripts.report.scores import printed_note
from scripts.report.verdicts import MARKS, NAMES, Note, Verdict, accuracy

_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)

_BUTTONS = (
    ("first", "|◀", "to the start (Home)"),
    ("back", "◀", "one move back (←)"),
    ("forward", "▶", "one move on (→)"),
    ("last", "▶|", "to the end (End)"),
    ("previous", "‹ ?", "the mistake before (p)"),
    ("next", "? ›", "the next mistake (n)"),
    ("better", "↓ better", "play the better line (↓)"),
    ("flip", "⇅", "turn the board round (f)"),
)

_LEGEND = """<details class="legend" open><summary>Legend</summary>
<p>Keys: ← → a move, Home End the start and the end, n p the mistakes, ↓ into the better
line, ↑ or Esc back to the game, f turns the board round. The graph and every move can be
clicked.</p>
<p>The graph is the expected score of {first}, who moves first: 1 (a win) at its top, 0 at
its bottom. The numbers at its left are the engine's scores, and the lines across tell what
such a lead is worth as the game goes on. Scores are given for {first}, too.</p>
<p>A move is judged by the expected score that it gave away: <b class="inaccuracy">?!</b> an
inaccuracy from {inaccuracy}, <b class="mistake">?</b> a mistake from {mistake},
<b class="blunder">??</b> a blunder from {blunder}. On the board the last move is
orange, moves of the better line are blue.</p>
<p>The accuracy of a move that gave away <i>x</i> % is 103.17 · e<sup>−0.0435 <i>x</i></sup>
− 3.17, kept between 0 and 100 (the formula of lichess.org); a player's is the mean over his
moves.</p></details>"""


class Analysed:
    """A game with what the engine said: Record, Verdicts of its positions, Notes of its
    moves.
    """

    def __init__(
        self, record: Record, verdicts: Sequence[Verdict], notes: Sequence[Note]
    ) -> None:
        self.record, self.verdicts, self.notes = record, verdicts, notes

    @property
    def title(self) -> str:
        """Who played whom."""
        players = zip(self.record.players, self.record.start.game.colours)
        return " – ".join(name or colour for name, colour in players)

    @property
    def result(self) -> str:
        """The result as it is printed."""
        return self.record.result.replace("1/2-1/2", "½–½")


def page(games: Sequence[Analysed], engine: str, effort: str) -> str:
    """The HTML text of Analysed games.

    engine: its name, effort: how long it thought, in words.
    """
    boards: list[dict[str, Any]] = []
    data = [game_data(game.record, game.verdicts, game.notes, number, boards)
            for number, game in enumerate(games, 1)]
    title = games[0].title if len(games) == 1 else f"{len(games)} games"
    body = [_index(games)] if len(games) > 1 else []
    body += [
        _section(game, number, f"analysed by {engine}, {effort}")
        for number, game in enumerate(games, 1)
    ]
    known = json.dumps({"boards": boards, "games": data}, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{_text('report.css')}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + f'\n<script type="application/json" id="data">{known}</script>\n'
        f"<script>\n{_text('report.js')}</script>\n</body>\n</html>\n"
    )


def _text(name: str) -> str:
    # The loader finds it in an archive, too.
    path = os.path.join(os.path.dirname(__file__), name)
    data: bytes = __loader__.get_data(path)  # type: ignore[name-defined]  # the import system's
    return data.decode("utf-8")


def _index(games: Sequence[Analysed]) -> str:
    """The list of games to choose from."""
    options = "".join(
        f'<option value="{number}">{number + 1}. {escape(game.title)} '
        f"{escape(game.result)}</option>"
        for number, game in enumerate(games)
    )
    return f'<nav><label>Game <select>{options}</select></label></nav>'


def _section(game: Analysed, number: int, engine: str) -> str:
    """One game: its board at the left, all else at the right."""
    record = game.record
    facts = [record.start.game.name, *[str(value) for name, value in record.tags.items()
                                       if name.lower() in ("event", "date", "ev", "dt", "round")
                                       and str(value).strip("?.")], engine]
    buttons = "".join(
        f'<button type="button" data-do="{action}" title="{title}" '
        f'aria-label="{title}">{sign}</button>'
        for action, sign, title in _BUTTONS
    )
    moves, tips = _moves(record, game.notes)
    legend = _LEGEND.format(
        first=escape(record.start.game.colours[0]),
        **{NAMES[mark]: f"{100 * least:.0f} %" for least, mark in MARKS})
    return (
        f'<section class="game" id="game-{number}">\n'
        f"<h1>{escape(game.title)} &nbsp; {escape(game.result)}</h1>\n"
        f'<p class="facts">{escape(" · ".join(facts))}</p>\n<div class="columns">\n<div>'
        f'<div class="board"></div>\n<p class="turn" aria-live="polite"></p>\n'
        f'<div class="buttons">{buttons}</div>'
        f"</div>\n<div>{graph(record, game.verdicts, game.notes, tips)}\n"
        f'<div class="note" aria-live="polite"></div>\n<div class="moves">{moves}</div>\n'
        f"<h2>Accuracy</h2>\n"
        f"{_table(record, game.notes)}\n{legend}</div>\n</div>\n</section>"
    )


def _moves(record: Record, notes: Sequence[Note]) -> tuple[str, list[str]]:
    """(the list of moves as buttons, for each move the tool tip of its dot in the graph)."""
    turns, words, tips = record.turns(), [], []
    for ply, (position, move) in enumerate(record.positions()):
        note, number = notes[ply], turns[ply][0]
        shown, dots = move_words(position, move) + note.mark, "." if position.side == 0 else "…"
        kind = f" {NAMES[note.mark]}" if note.mark else ""
        button = (
            f'<button type="button" class="move{kind}" data-ply="{ply + 1}">'
            f"{escape(shown)}</button>"
        )
        if (
            position.side == 0
            or ply == 0
            or not position.game.alternates
            and turns[ply - 1] != turns[ply]
        ):
            # as one word: no number stands alone at the end of a line
            button = (f'<span class="numbered"><span class="number">{number}{dots}</span> '
                      f"{button}</span>")
        words.append(button)
        tips.append(f"{number}{dots} {shown}  {printed_note(note, record.start.game)}")
    return "\n".join(words), tips


def _table(record: Record, notes: Sequence[Note]) -> str:
    """Each player's accuracy, how many mistakes he made, and what a move of his cost on
    average.
    """
    rows, turns = [], record.turns()
    for side in (0, 1):
        own = [note for note, (_, player) in zip(notes, turns) if player == side]
        counts = "".join(f'<td class="{name}">{sum(note.mark == mark for note in own)}</td>'
                         for mark, name in NAMES.items())
        name = record.players[side] or record.start.game.colours[side]
        worth = f"<td>{accuracy(own):.1f} %</td>" if own else "<td>–</td>"
        rows.append(f"<tr><td>{escape(name)}</td>{worth}{counts}</tr>")
    heads = "".join(
        f"<th>{'inaccuracies' if name == 'inaccuracy' else name + 's'}</th>"
        for name in NAMES.values()
    )
    return f"<table><tr><th></th><th>accuracy</th>{heads}</tr>{''.join(rows)}</table>"
