"""The report: one HTML page that needs nothing else, with the graph, the mistakes on their boards, and all moves."""
from __future__ import annotations

import re
from base64 import b64encode

from games.base import MoveError
from games.grid import read_square
from scripts.drawing.board import drawer, shown
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.svg import escape
from scripts.records.words import line_text, move_words, score_text
from scripts.report.analysis import NAMES
from scripts.report.graph import COLOURS, graph

_STYLE = """
body { font-family: Georgia, 'DejaVu Serif', serif; color: #1f2328; margin: 2em auto; max-width: 60em; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: .2em; } h2 { font-size: 1.2em; margin: 1.6em 0 .6em; }
p.facts { color: #59636e; margin: .2em 0 1em; }
svg.graph { width: 100%; height: auto; } .tick { font: 11px sans-serif; fill: #59636e; }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; } th:first-child,
td:first-child { text-align: left; } tr + tr td { border-top: 1px solid #d8dee4; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 1.4em; }
.card { border: 1px solid #d8dee4; border-radius: 8px; padding: .8em; }
.card h3 { margin: 0 0 .5em; font-size: 1.05em; }
.card p { margin: .4em 0; line-height: 1.35; } .card svg { width: 100%; height: auto; max-height: 20em; }
.moves { line-height: 1.9; } .moves span { white-space: nowrap; margin-right: .7em; } .moves small { color: #59636e; }
.moves a { color: inherit; font-weight: bold; } .number { color: #59636e; }
""" + "".join(f".{name} {{ color: {COLOURS[mark]}; }}\n" for mark, name in NAMES.items())

_PLAYED, _BETTER = "#e06a5a", "#3f9be0"
_SQUARE = re.compile(r"[a-t](?:1\d|20|[1-9])")
_CELL = 44.0
_LARGEST_TREE = 200     # nodes of a tree that is drawn in place of a board


def page(record, verdicts, notes, engine, effort):
    """The HTML text; engine: its name, effort: how long it thought, in words."""
    told = list(_told(record, verdicts, notes))
    title = " – ".join(name or colour for name, colour in zip(record.players, record.start.game.colours))
    result = record.result.replace("1/2-1/2", "½–½")
    facts = [record.start.game.name, *[str(value) for name, value in record.tags.items()
                                       if name.lower() in ("event", "date", "ev", "dt", "round")
                                       and str(value).strip("?.")], f"analysed by {engine}, {effort}"]
    body = [f"<h1>{escape(title)} &nbsp; {escape(result)}</h1>", f'<p class="facts">{escape(" · ".join(facts))}</p>',
            graph(record, verdicts, notes, [tip for _, tip, _ in told]), _table(record, notes)]
    cards = [card for _, _, card in told if card]
    body.append("<h2>Mistakes</h2>")
    body.append(f'<div class="cards">{"".join(cards)}</div>' if cards else "<p>None was found.</p>")
    body.append(f'<h2>Moves</h2><p class="moves">{" ".join(word for word, _, _ in told)}</p>')
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n")


def _told(record, verdicts, notes):
    """For each move: (its entry in the list of moves, its tool tip, its card or "")."""
    turns = record.turns()
    for ply, (position, move) in enumerate(record.positions()):
        note, number = notes[ply], turns[ply][0]
        words = move_words(position, move)
        again = ply > 0 and turns[ply] == turns[ply - 1]
        dots = "." if position.side == 0 else "..."
        lead = f"{number}{dots}" if not again and (position.side == 0 or ply == 0 or not position.game.alternates) else ""
        entry = f"{escape(words)}{note.mark}"
        if note.mark:
            entry = f'<a class="{NAMES[note.mark]}" href="#ply-{ply + 1}">{entry}</a>'
        short = escape(_short(note, record.start.game))
        entry = f'<span><b class="number">{lead}</b> {entry} <small>{short}</small></span>'
        full = f"{number}{dots} {words}{note.mark}"
        card = _card(position, move, ply, full, note, verdicts[ply]) if note.mark else ""
        yield entry, f"{full}  {score_text(note, record.start.game)}", card


def _short(note, game):
    return f"#{note.mate}" if note.mate else score_text(note, game) if note.mate is None else ""


def _card(position, move, ply, full, note, before):
    """A mistake: the board before it with the move played and the better one, and what they are worth."""
    change = f"{score_text(before, position.game)} → {score_text(note, position.game)}"
    return (f'<div class="card" id="ply-{ply + 1}"><h3>{escape(full)} <span class="{NAMES[note.mark]}">'
            f"{NAMES[note.mark]}</span></h3>{_board(position, move, note.best[0])}<p>{escape(change)}</p>"
            f'<p>Better: <b style="color:{_BETTER}">{escape(line_text(position, note.best))}</b></p></div>')


def _board(position, move, better):
    """The board with the two moves, or the game's own picture; a tree is drawn where the game has neither."""
    board = drawer(position, _CELL)
    if board is None:
        try:
            drawn = Picture(Figure(position, prune=False, limit=_LARGEST_TREE))
        except FigureError:
            return f"<p>{escape(position.text())}</p>"
        svg = drawn.svg(drawn.figure.snapshot()).encode()       # an image, so that its style stays its own
        return f'<img alt="the tree" width="100%" src="data:image/svg+xml;base64,{b64encode(svg).decode()}">'
    rows, marked, arrows = shown(position), {}, []
    for chosen, colour in ((better, _BETTER), (move, _PLAYED)):
        cells = cells_of(position, chosen)
        marked.update((cell, colour) for cell in cells[-1:])
        if len(cells) > 1:
            arrows.append((cells[0], cells[-1], colour))
    width, height = board.size(rows)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" style="max-width:{width:g}px">'
            f"{board.draw(rows, marked=marked, arrows=arrows)}</svg>")


def cells_of(position, move):
    """The cells (column, row) that a move touches: where it places, or from where to where it goes; [] for a pass."""
    if move == position.game.pass_move:
        return []
    cell = position.placement(move)
    if cell is not None:
        return [cell]
    rows, found = position.board(), []
    if rows is None:
        return []
    for name in _SQUARE.findall(position.move_text(move)):
        try:
            found.append(read_square(name, len(rows[0]), len(rows)))
        except MoveError:
            return []
    return found


def _table(record, notes):
    """How many mistakes each player made, and what a move of his cost on average."""
    rows = []
    turns = record.turns()
    for side in (0, 1):
        own = [note for note, (_, player) in zip(notes, turns) if player == side]
        counts = "".join(f'<td class="{name}">{sum(note.mark == mark for note in own)}</td>'
                         for mark, name in NAMES.items())
        lost = 100 * sum(note.lost for note in own) / max(len(own), 1)
        name = record.players[side] or record.start.game.colours[side]
        rows.append(f"<tr><td>{escape(name)}</td>{counts}<td>{lost:.1f} %</td></tr>")
    heads = "".join(f"<th>{'inaccuracies' if name == 'inaccuracy' else name + 's'}</th>" for name in NAMES.values())
    return f"<table><tr><th></th>{heads}<th>expected score lost per move</th></tr>{''.join(rows)}</table>"
