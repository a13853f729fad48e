"""Games of Othello in GGF, the Generic Game Format of the Othello servers (protocol/ggf.py reads it).

    (;GM[Othello]PC[…]DT[…]PB[…]PW[…]RE[-2]TI[…]TY[8]BO[8 ---…--- *]B[F5/0.50/1.2]W[PA]…;)
"""
from __future__ import annotations

from scripts.arena.start import Start


def write(result):
    """The GGF of a result (job.py), one line."""
    position = Start(result["game"], result["start"], result["options"]).position()
    cells, _, side = position.text().partition(" ")
    board = cells.replace("X", "*") + (" *" if side == "X" else " O")
    tags = [("GM", "Othello"), ("PC", "Plyglot"), ("DT", result["date"]), ("PB", result["players"][0]),
            ("PW", result["players"][1]), ("RE", _outcome(result)), ("TY", "8"), ("BO", f"8 {board}")]
    words = [f"{name}[{_escape(value)}]" for name, value in tags]
    for ply, text in enumerate(result["moves"]):
        words.append(f"{'BW'[position.side]}[{_move(text)}{_comment(result, ply - result['opening'])}]")
        position.make(position.parse_move(text))
    return f"(;{''.join(words)};)\n"


def _outcome(result):
    """Black's discs minus White's; without a count a win is told by its cause, as the servers do (`+64:t`, `:r`)."""
    if result["margin"] is not None:
        return f"{result['margin']:+.2f}"
    sign = {"1-0": "+64", "0-1": "-64"}.get(result["result"], "0")
    cause = {"time forfeit": ":t", "resignation": ":r"}.get(result["termination"], "")
    return sign + cause


def _move(text):
    return "PA" if text == "pass" else text.upper()


def _comment(result, index):
    """`/evaluation in discs/seconds`, where an engine told them."""
    if not 0 <= index < len(result["seconds"]):
        return ""
    score = result["scores"][index]
    return f"/{f'{score / 100:.2f}' if isinstance(score, int) else ''}/{result['seconds'][index]:.2f}"


def _escape(text):
    return text.replace("\\", "\\\\").replace("]", "\\]")
