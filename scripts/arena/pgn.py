"""Chess games in PGN, with moves in SAN; written, and read for openings."""
from __future__ import annotations

import re

from games import registry
from games.base import MoveError
from scripts.arena.start import Start

_TERMINATIONS = {"normal": "normal", "adjudication": "adjudication", "time forfeit": "time forfeit",
                 "illegal move": "rules infraction", "resignation": "normal"}
_WIDTH = 100
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|\(|\)|\$\d+|[^\s(){}]+")


# ---- moves ----------------------------------------------------------------------------------------------


def san(position, move):
    """The SAN of a legal move."""
    text = _plain(position, move)
    position.make(move)
    if position.in_check():
        text += "#" if position.outcome() is not None and position.outcome().winner is not None else "+"
    position.undo()
    return text


def _plain(position, move):
    """SAN without signs of check."""
    start, goal, promotion = _parts(position, move)
    board = position.board()
    piece, taken = _at(board, start), _at(board, goal)
    if piece in "Kk":
        if taken in "Rr" and taken.isupper() == piece.isupper() or abs(ord(start[0]) - ord(goal[0])) > 1:
            return "O-O" if goal > start else "O-O-O"
    if piece in "Pp":
        text = f"{start[0]}x{goal}" if start[0] != goal[0] else goal
        return text + (f"={promotion.upper()}" if promotion else "")
    return f"{piece.upper()}{_which(position, board, piece, start, goal)}{'' if taken == '.' else 'x'}{goal}"


def _which(position, board, piece, start, goal):
    """What tells the piece on `start` from others of its kind that can go to `goal`."""
    others = [where for where, to, _ in (_parts(position, move) for move in position.legal_moves())
              if to == goal and where != start and _at(board, where) == piece]
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    return start[1] if all(other[1] != start[1] for other in others) else start


def _parts(position, move):
    text = position.move_text(move)
    return text[:2], text[2:4], text[4:]


def _at(board, square):
    return board[int(square[1]) - 1]["abcdefgh".index(square[0])]


def read_san(position, text):
    """The legal move of a SAN, or of long algebraic notation; MoveError where there is none."""
    wanted = text.strip().rstrip("+#!?").replace("0", "O").replace("e.p.", "")
    bare = wanted.replace("x", "").replace("=", "").replace("-", "")
    for move in position.legal_moves():
        plain = _plain(position, move)
        if plain == wanted or plain.replace("x", "").replace("=", "").replace("-", "") == bare:
            return move
    found = [move for move in position.legal_moves() if _fits(position, move, bare)]
    if len(found) == 1:
        return found[0]
    return position.parse_move(text)


def _fits(position, move, text):
    """Does a move fit SAN that says more than it has to (`Ngf3` where `Nf3` is enough)?"""
    start, goal, promotion = _parts(position, move)
    piece = _at(position.board(), start).upper()
    letter, rest = (text[0], text[1:]) if text[:1] in "KQRBN" else ("P", text)
    if letter != piece or piece == "P" and promotion.upper() not in rest[2:]:
        return False
    hint = rest[:-2] if piece != "P" else rest[:max(len(rest) - 2 - len(promotion), 0)]
    return rest[len(hint):len(hint) + 2] == goal and (hint in (start, start[0], start[1], ""))


# ---- games ----------------------------------------------------------------------------------------------


def write(result, event="Tournament"):
    """The PGN of a result (job.py)."""
    start = Start("chess", result["start"], result["options"])
    number, _, rest = result["id"].partition("/")
    tags = [("Event", event), ("Site", "?"), ("Date", result["date"][:10].replace("-", ".")),
            ("Round", f"{number}.{rest.rpartition('/')[2]}"), ("White", result["players"][0]),
            ("Black", result["players"][1]), ("Result", result["result"])]
    if result["options"].get("UCI_Chess960"):
        tags.append(("Variant", "Chess960"))
    if result["start"] is not None:
        tags += [("SetUp", "1"), ("FEN", result["start"])]
    tags += [("PlyCount", str(len(result["moves"]))),
             ("Termination", _TERMINATIONS.get(result["termination"], "abandoned"))]
    text = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags)
    return f"{text}\n{_wrap(_words(start.position(), result))}\n\n"


def _words(position, result):
    """Move numbers, moves and comments, then the reason and the result."""
    out, number = [], _number(position)
    for ply, text in enumerate(result["moves"]):
        move = position.parse_move(text)
        if position.side == 0 or ply == 0:
            out.append(f"{number}." if position.side == 0 else f"{number}...")
        out.append(san(position, move))
        comment = _comment(result, ply - result["opening"])
        if comment:
            out.append(comment)
        number += position.side
        position.make(move)
    return out + ["{" + result["reason"].replace("}", ")") + "}", result["result"]]


def _comment(result, index):
    """`{+0.35/8 0.51s}`: score in pawns for the player who moved, depth, seconds."""
    if not 0 <= index < len(result["seconds"]):
        return ""
    score, depth = result["scores"][index], result["depths"][index]
    told = score if isinstance(score, str) else "" if score is None else f"{score / 100:+.2f}"
    return "{" + f"{told}{'' if depth is None else f'/{depth}'} {result['seconds'][index]:.3f}s".strip() + "}"


def _number(position):
    fields = position.text().split()
    return int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1


def _wrap(words):
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > _WIDTH:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join(lines + [line])


def _escape(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def read_games(game, text):
    """[(position text or None, [canonical moves])] of the games of a PGN file; MoveError names what can't be read."""
    game = registry.get(game) if isinstance(game, str) else game
    if game.name != "chess":
        raise MoveError("PGN", f"holds games of chess, not of {game.name}")
    found = []
    for tags, tokens in _split(text):
        start = tags.get("FEN")
        position = Start(game, start).position()
        start = position.text() if start else None
        found.append((start, _read_moves(position, tokens)))
    return found


def _split(text):
    """Yield (tags, tokens of the moves) of each game."""
    tags, tokens = {}, []
    for line in text.splitlines(keepends=True) + ["[End \"\"]"]:
        tag = _TAG.match(line.strip())
        if tag is None:
            tokens.append(line)
        else:
            if "".join(tokens).strip():
                yield tags, _TOKEN.findall("".join(tokens))
                tags = {}
            tokens = []
            tags[tag[1]] = tag[2]


def _read_moves(position, tokens):
    texts, depth = [], 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        token = re.sub(r"^\d+\.+", "", token)
        if depth or not token or token[0] in "{;$()!?" or token in ("1-0", "0-1", "1/2-1/2", "*") or token.isdigit():
            continue
        move = read_san(position, token)
        texts.append(position.move_text(move))
        position.make(move)
    return texts
