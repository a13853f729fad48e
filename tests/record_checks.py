"""Checks that records stay the same when written and read again, and random records to check."""

import re

from samples import SAMPLES

from games.base import GameError
from protocol.records.formats import WRITTEN, Collection, holds, write_record
from protocol.records.json_lines import to_plain
from protocol.records.record import RESULTS, Record, RecordError, Start, Step, walk

_GAMES = ("chess", "othello", "gomoku", "renju", "gomokufreestyle", "tictactoe", "connect4")
_OPTIONS = {
    "chess": [{}, {"UCI_Chess960": True}],
    "gomoku": [{}, {"BoardSize": 7}, {"BoardSize": 20}],
}
_NAMES = (
    "eval clk emt csl nag nodes foo V EVAL EMT BL WL TE BM DO IT NAG MA VA C XX X2 TR RE RU GN GM "
    "SZ FF PL AB B W CA BO PB TY Event EV Date DT date Site PC CO AN Annotator Round Variant "
    "FEN Result White termination a-b Ä"
).split()
_TEXTS = [
    *"0.31 1.50,12 -2.00/9 #3 #-2 0:00:01.5 1:00:00 9.5 2 1 0 14 $5 ! ?? 001 / a/b [%clk 1:00]".split(),
    *"[%eval [%a b] 1] [%clk [% ] [ { } ( ) \\ \\] ; (; CA[GB2312] é 漢 % %b * 1-0 ? - B+R Void".split(),
    *'renju freestyle gomoku [Event "x"] 2001-02-03 2001-02-03T10:00 e4 aa'.split(),
    *("", " ", "\n", "[%clk 0:00:01]", "[%eval\n1]", " two  words ", "a\n\nb", "\n% c"),
]
_BITS = (
    *'( ) { } [ ] ; \\ " % $1 $999 -- 1-0 * (; ;) ... 1. é ½-½ e.p. 0-0 +/- N pass B[ W[tt]'.split(),
    *'AB[aa:cc] C[ VA[ MA[!] SZ[19] GM[1] CA[GB2312] null 0 -1 1e999 : , "line": [] {} e4 f5'.split(),
    *("\n%", "[%eval ", "[%clk 0:00:01]", "\n\n", "\r", "\r\n", "\t", "\0", "\x1b[31m", "\u2028"),
    *("\ufeff", "hmvc 9;", '[Variant "Chess960"]', '\n[Event "x"]\n', '\n\n[White "y"]\n'),
)
_BYTES = [*(text.encode() for text in _BITS), b"\xff", b"\xc3", b"\x81\x5d", b"\xff\xfe"]


def check(data, kind, game):
    """Check that the games of a text survive writing and reading in each format; return their count."""
    try:
        games = Collection(data, kind, game)
        records = list(games)
    except RecordError:
        return 0
    assert all(problem.isprintable() for problem in games.problems)
    for record in records:
        for other in WRITTEN:
            if holds(other, record.start):
                _check_written(record, other, games.format.name)
    return len(records)


def _check_written(record, kind, own):
    try:
        text = write_record(record, kind)
        again = Collection(text.encode("utf-8", "surrogateescape"), kind)
        found = list(again)
    except (RecordError, GameError):
        assert kind != own
        return  # this format can't express the game
    if re.search("[\udc80-\udcff]", text):
        return  # the guessed encoding of such bytes depends on the text around them
    wrong = [problem for problem in again.problems if "encoding" not in problem]
    assert not wrong and len(found) == 1, (kind, again.problems, text)
    if kind in (own, "json"):
        assert to_plain(found[0]) == to_plain(record), (kind, text)
    assert write_record(found[0], kind) == text, kind


def damaged(dice, data):
    """Return bytes with some random errors."""
    for _ in range(dice.choice((1, 1, 2, 4, 9))):
        at = dice.randrange(len(data) + 1)
        end = min(at + dice.choice((1, 1, 2, 5, 20, 200)), len(data))
        other = dice.choice(list(SAMPLES.values())).data
        first = dice.randrange(len(other) + 1)
        data = dice.choice(
            (
                data[:at],
                data[:at] + data[end:],
                data[:end] + data[at:],
                data[:at] + other[first : first + 200] + data[at:],
                data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],
                *[data[:at] + dice.choice(_BYTES) * dice.choice((1, 1, 2, 60)) + data[at:]] * 3,
            )
        )
    return data


def check_made(dice):
    """Check a random record in each format that can hold it."""
    name = dice.choice(_GAMES)
    start = Start(name, None, dice.choice(_OPTIONS.get(name, [{}])))
    if dice.random() < 0.3:
        moved = start.position()
        _moves(dice, moved, dice.randrange(6))
        start = Start(start.game, moved.text(), start.options)
    tags = {dice.choice(_NAMES): _text(dice) for _ in range(dice.choice((0, 1, 5)))}
    record = Record(start, (), (_text(dice), _text(dice)), dice.choice(RESULTS), tags)
    record.comment, record.said = _text(dice), _said(dice)
    record.line = _line(dice, start.position(), 3)
    for kind in WRITTEN:
        if holds(kind, record.start):
            assert check(write_record(record, kind), kind, None), kind


def _moves(dice, position, count):
    """Make up to `count` random moves on `position` and return them."""
    found = []
    while len(found) < count and position.outcome() is None:
        found.append(dice.choice(position.legal_moves()))
        position.make(found[-1])
    return found


def _line(dice, position, depth):
    """Return a random line from `position`, which stays unchanged."""
    line = [Step(move) for move in _moves(dice, position, dice.choice((1, 2, 3, 9)))]
    for _ in line:
        position.undo()
    for _, step in walk(position, line):
        step.comment, step.said = _text(dice), _said(dice)
        step.nags = dice.choices((1, 2, 3, 4, 5, 6, 14, 146, 999), k=dice.randrange(3))
        if depth and dice.random() < 0.2:
            step.variations.append(_line(dice, position, depth - 1))
            step.variations[-1][0].before = _text(dice)
    return line


def _said(dice):
    names = dice.choices(_NAMES, k=dice.choice((0, 0, 1, 4)))
    return {name: [_text(dice) for _ in range(dice.choice((1, 1, 2)))] for name in names}


def _text(dice):
    return dice.choice(("", " ")).join(dice.choices(_TEXTS, k=dice.choice((0, 0, 1, 1, 3))))
