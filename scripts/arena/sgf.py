"""Games in SGF (FF[4]): Othello is GM[2], Gomoku and Renju are GM[4].

A point is two letters, column from the left and row from the top of the board's picture.
"""
from __future__ import annotations

from protocol import moves, sgf
from scripts.arena.start import Start

NUMBERS = {"othello": "2", "flipello": "2", "gomoku": "4", "gomokufreestyle": "4", "renju": "4"}
_RULES = {"gomoku": "exactly five", "gomokufreestyle": "five or more", "renju": "Renju"}


def write(result):
    """The SGF of a result (job.py)."""
    start = Start(result["game"], result["start"], result["options"])
    position = start.position()
    return sgf.write([_root(result, position)] + _nodes(result, position)) + "\n"


def _root(result, position):
    root = {"FF": ["4"], "GM": [NUMBERS[result["game"]]], "CA": ["UTF-8"], "AP": ["Plyglot"],
            "SZ": [str(len(position.board()))], "PB": [result["players"][0]], "PW": [result["players"][1]],
            "DT": [result["date"][:10]], "RO": [result["id"].partition("/")[0]], "RE": [_outcome(result)],
            "GC": [f"{result['termination']}: {result['reason']}"]}
    if result["game"] in _RULES:
        root["RU"] = [_RULES[result["game"]]]
    if result["start"] is not None or result["game"] in ("othello", "flipello"):
        for name, stone in (("AB", "X"), ("AW", "O")):
            points = [_point(position, (column, row)) for row, cells in enumerate(position.board())
                      for column, cell in enumerate(cells) if cell == stone]
            if points:
                root[name] = points
        root["PL"] = ["BW"[position.side]]
    return root


def _outcome(result):
    if result["result"] == "1/2-1/2":
        return "0"
    letter = "B" if result["result"] == "1-0" else "W"
    how = {"time forfeit": "T", "resignation": "R", "normal": "", "adjudication": ""}.get(result["termination"], "F")
    return f"{letter}+{how or abs(result['margin'] or 0) or ''}"


def _nodes(result, position):
    nodes = []
    for ply, text in enumerate(result["moves"]):
        move = position.parse_move(text)
        cell = position.placement(move)
        node = {"BW"[position.side]: ["" if cell is None else _point(position, cell)]}
        index = ply - result["opening"]
        if 0 <= index < len(result["seconds"]):
            told = [f"{name} {result[name + 's'][index]}" for name in ("score", "depth")
                    if result[name + "s"][index] is not None]
            node["C"] = [", ".join(told + [f"{result['seconds'][index]:.3f} s"])]
        nodes.append(node)
        position.make(move)
    return nodes


def _point(position, cell):
    column, row = moves.from_top(position, *cell)
    return chr(97 + column) + chr(97 + row)
