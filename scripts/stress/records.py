"""Damaged records; whatever is read of them must survive writing and reading again."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from games.base import GameError
from protocol.records.formats import WRITTEN, Collection, holds, write_record
from protocol.records.json_lines import to_plain
from protocol.records.record import RecordError
from scripts.stress.case import Failure
from scripts.stress.made_records import made

if TYPE_CHECKING:
    from protocol.records.record import Record
    from scripts.stress.case import Case

BATCH = 20  # texts per case
LONGEST = 20.0  # seconds of processor time that a text of this size never needs

_PGN = r"""[Event "A \"quoted\" event"]
[Site "?"] [Date "2001.02.03"]
[White "One, Ä."]
[Black "Two \\ Three"]
[Result "1/2-1/2"]
[Custom_9 "kept; (as) {it} is"]

{Before the first move.} 1. e4 {[%clk 1:00:00] [%csl Ra1,Gb2] a comment [%foo bar]} e5 $10 $146
(1... c5 {sharp} 2. Nf3 (2. c3 $6) 2... d6) ({another} 1... e6!?) 2. -- {a null move} Nc6
; to the end of the line
3. Nf3 {[%eval 0.31,12]} Nf6± 4. Bb5 a6 5. O-O Nxe4 {50% sure} 1/2-1/2

1. d4 <reserved words> d5 2. c4 dxc4 $1 {% at its beginning} 1-0
[Event "From a position"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 40"]
[SetUp "1"]

40. a8(Q)+ Kd7 41. Qa4+ *
"""
_SGF = r"""(;GM[2]FF[4]CA[UTF-8]AP[x:1]PB[One \] B]PW[Two]EV[Cup]RE[W+10]C[before
the game]TR[cc][dd];B[fe]C[the tiger?]TE[1]EVAL[1.50,12]V[1.50]BL[9.5](;W[df]BM[2](;B[cc]
LB[aa:1][bb:2])(;B[ce]C[another]V[-2]))(;C[a way]W[ff]NAG[14];B[ef]XY2[z](;W[df])(;W[fd])))
(;GM[4]SZ[9]RU[freestyle]AB[aa:ba][cc]AW[ii][hh]PL[W];W[ee]UC[1];B[c9]GB[1])
"""
_GGF = r"""1 (;GM[Othello]PC[GGS/os]DT[2001.02.03]PB[One]PW[Two]RB[1800.1]TI[05:00//02:00]
TY[8]RE[-4.00:t]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
C[before]B[F5/1.50/2.1]C[a \] bracket]W[D6/-0.50]MA[?]MA[$14]VA[W[F6\]C[other\]B[E6\]]B[C3//1]
QQ[x];)
"""
_JSON = """{"tournament": {"game": "tictactoe"}}
{"id": "1/a-b/1", "game": "tictactoe", "players": ["a", "b"], "result": "1-0", "opening": 1,
 "moves": ["b2", "b1", "a1", "c3", "a3"], "scores": [-35, "M3", null, 5], "depths": [1, 2, null, 3],
 "seconds": [0.1, 0.2, null, 1], "nodes": [1, 2, 3, 4], "elapsed": 0.5,
 "options": {"BookFile": "x"}}
{"game": "chess", "start": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1g1"], "comment": "x",
 "tags": {"Event": "y"}, "line": [{"move": "e1g1", "nags": [1, 14], "said": {"clk": ["0:01:00"]},
 "variations": [[{"move": "e1e2", "before": "or", "comment": "this"}]]}]}
""".replace(",\n", ",").replace(":\n", ":")
_MOVES = (
    "1. e4 e5 2. Nf3 # the king's knight\n 1-0\n1. d4 d5 1/2-1/2\nposition startpos moves e2e4\n"
)
_OTHELLO = "f5d6c3d3c4\nf5, d6, c3\nf5 f6 e6 f4 e3\n"
_GOMOKU = "h8h9i8i9\nh8,h9,i8\n7,7 8,8\nh8 h9 # x\n"
_EPD = (
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 bm Nf3; id "a; b"; hmvc 3;\n'
    "4k3/8/8/8/8/8/8/RK5R w HA -\n8/8/4k3/8/8/4K3/8/8 b\n"
)
# (format, game if the text doesn't name it, text)
SEEDS = (
    ("pgn", None, _PGN),
    ("sgf", None, _SGF),
    ("ggf", None, _GGF),
    ("json", None, _JSON),
    ("moves", None, _MOVES),
    ("moves", "othello", _OTHELLO),
    ("moves", "gomoku", _GOMOKU),
    ("moves", "renju", _GOMOKU),
    ("epd", None, _EPD),
    ("pgn", "othello", "1. f5 d6 2. c3 d3 *\n"),
)
_WORDS = r"""
    ( ) { } [ ] ; \ " % $1 $999 -- 1-0 * (; ;) ... 1. é 漢 ½-½ e.p. 0-0 O-O-O +/- N pass B[ W[tt]
    AB[aa:cc] C[ C[x] VA[ MA[!] SZ[19] GM[1] CA[GB2312] null 0 -1 1e999 : , true "line": [] {} moves
    startpos # e4 Nf3 f5 h8
"""
_SPACED = (
    *("\n%", "[%eval ", "[%clk 0:00:01]", "\n\n", "\r", "\r\n", "\t", "\0", "\x1b[31m", "\x7f"),
    *("\u2028", "\x85", "\ufeff", "hmvc 9;", '[Variant "Chess960"]'),
    *('\n[Event "x"]\n', '\n\n[White "y"]\n'),
)
_BITS = [text.encode() for text in (*_WORDS.split(), *_SPACED)]
_BITS += [b"\xff", b"\xe9", b"\xc3", b"\x81\x5d", b"\xff\xfe"]


def run(case: Case) -> None:
    """Check a batch of damaged texts."""
    for _ in range(BATCH):
        kind, game, text = case.dice.choice(SEEDS)
        data = damaged(case.dice, text.encode())
        begun = time.process_time()
        try:
            case.count("games", check(data, case.dice.choice((kind, kind, None)), game))
        except Failure as failure:
            raise Failure(f"{failure}: {kind}, {game}: {data!r}") from None
        if time.process_time() - begun > LONGEST:
            raise Failure(f"a text of {len(data)} bytes takes too long: {kind}, {data[:500]!r}")
        check_made(case.dice)


def check_made(dice: Random) -> None:
    """Check a random record in each format that can hold it."""
    for kind, text in made(dice):
        if not check(text, kind, None):
            raise Failure(f"{kind} that was written holds no game: {text!r}")


def damaged(dice: Random, data: bytes) -> bytes:
    """Return bytes with some random errors."""
    for _ in range(dice.choice((1, 1, 2, 4, 9))):
        data = _accident(dice, data)
    return data


def _accident(dice: Random, data: bytes) -> bytes:
    at, kind = dice.randrange(len(data) + 1), dice.randrange(8)
    end = min(at + dice.choice((1, 1, 2, 5, 20, 200)), len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:end] + data[at:]
    if kind == 3:
        other = dice.choice(SEEDS)[2].encode()
        return data[:at] + other[dice.randrange(len(other)) :][:200] + data[at:]
    if kind == 4:
        return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
    return data[:at] + dice.choice(_BITS) * dice.choice((1, 1, 1, 2, 60)) + data[at:]


def check(data: bytes | str, kind: str | None, game: str | None) -> int:
    """Read a text, write its games and read them again; return the number of games.

    Raise Failure if anything but a RecordError is raised, or if the second reading differs.
    """
    try:
        games = Collection(data, kind, game)
        records = list(games)
    except RecordError:
        return 0
    except Exception as error:
        raise Failure(f"reading raises {error!r}") from error
    for problem in games.problems:
        if not str(problem).isprintable():
            raise Failure(f"a problem is not printable: {str(problem)!r}")
    for record in records:
        for other in dict.fromkeys((games.kind, *WRITTEN)):
            if holds(other, record.start):
                _check_written(record, other, games.kind)
    return len(records)


def _check_written(record: Record, kind: str, own: str) -> None:
    """Write a record in a format and read it again."""
    try:
        text = write_record(record, kind)
        named = kind != "moves" and (kind != "pgn" or record.start.game.san)
        again = Collection(text.encode(), kind, None if named else record.start.game.name)
        found = list(again)
    except RecordError as error:
        if kind != own:
            return  # the format can't express it
        raise Failure(f"writing {kind} raises {error!r}") from error
    except (GameError, Exception) as error:
        raise Failure(f"{kind} that was written raises {error!r}") from error
    if not record.line and kind in ("moves", "epd") or record.line and kind == "epd":
        return
    if again.problems or len(found) != 1:
        raise Failure(
            f"{kind} that was written is read as {len(found)} games, "
            f"{list(map(str, again.problems))}: {text!r}"
        )
    if kind in (own, "json") and kind != "moves":
        _compare(to_plain(record), to_plain(found[0]), kind)
    once_more = write_record(found[0], kind)
    if once_more != text:
        raise Failure(f"{kind} written twice differs: {text!r}, {once_more!r}")


def _compare(before: dict[str, object], after: dict[str, object], kind: str) -> None:
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            raise Failure(f"{kind}: {name} was {before.get(name)!r} and is {after.get(name)!r}")
