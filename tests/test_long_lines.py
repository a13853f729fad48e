"""Lines and records in which a part of the grammar is repeated a hundred thousand times.

Time and memory are linear in the length of the line or the text.
"""
# Started early by scripts/test, since it is slow.

import functools
import itertools

import pytest
from front_end import InProcessEngine
from growth import grows, peak, seconds

from protocol.records.formats import Collection, guess
from protocol.table import TABLE

TOKENS = 'e2e4 |(|0 |1,2 |]|A[1]|[P] |/|"|-|=|searchmoves |\t#'.split("|")
# Beginnings of lines whose repeated tokens are parsed.  Every command's name is tried as one, too.
BEGINNINGS = {
    "uci": ["position fen ", "position startpos moves ", "setoption name ", "setoption name Hash value "],
    "usi": ["position sfen ", "position startpos moves ", "setoption name USI_Hash value "],
    "gtp": ["play b ", "lz-analyze b 10 ", "kata-time_settings ", "12 ", "# "],
    "gomocup": ["INFO rule ", "BOARD\n", "YXBLOCK\n"],
    "cecp": ["level 40 ", "option Hash", "holding [P] ", "edit\n", ""],
    "nboard": ["set game (;GM[Othello] ", "set game ", "set depth "],
    "hub": ["pos pos=", 'pos moves="', "set-param name=", "level depth="],
}  # fmt: skip

WORDS = {"quit", "end", "isready", "loadsgf", "bench"}  # commands that read at most one word

# Lines and texts that once needed much memory: {protocol or format: [(beginning, repeated part)]}.
FAT = {
    "uci": [("go searchmoves ", "ab "), ("setoption name a value ", "ab "), ("help ", "a")],
    "usi": [("position sfen ", "A[1]"), ("position ", "ab ")],
    "cecp": [("edit\n", "e2e4 "), ("setboard ", "ab ")],
    "gomocup": [("BOARD\n", "1,2 "), ("start ", "ab ")],
    "nboard": [("move ", "-"), ("set game (;GM[Othello] ", "(")],
    "pgn": [("1. e4 {", "\n"), ('[Event "', "\\"), ("", "$1 "), ("1. e4 {", "ab ")],
    "pdn": [("", "1-"), ("1. 32-28 ", "%a\n"), ('[FEN "W:W', "31,"), ("1. 32-28 ", "{ab}")],
    "sgf": [("(;GM[4]", part) for part in (";", "]", "(", "(;", "C[ab]", "\\]")],
    "ggf": [("(;GM[Othello]BO[8 --", "B[f5]")],
    "psq": [("Piskvorky 15x15, 1:1, 0\n", "ab\n"), ("Piskvorky 15x15, 1:1, 0\n", "8,8,1\n")],
    "epd": [("4k3/8/8/8/8/8/8/4K3 w - - ", ' id "a";')],
    "moves": [("", part) for part in ("1,1 ", "e4e5", "1,-1, ", "1-0 ", ", ")],
    "kif": [("", "* a\n"), ("|", "v歩")],
    "csa": [("PI\n+\n", "T1\n"), ("", "ab,")],
}
SHORT = 25_000
# Length in characters of a line or text whose memory is measured.  It is short, since measuring slows
# down the reading.
MEASURED = 20_000
# Length in characters of a text that once needed at least a hundred times its size in memory.
FORMER = 12_000
# Bytes allowed in addition to a multiple of the length, since lists of words, moves and problems
# grow up to their limits.
CONSTANT = 600_000
# A line or text that costs at most this many CPU seconds counts as cheap, whatever the growth.
SECONDS = 0.03


@pytest.fixture
def engine(row):
    """Return an engine that reads lines but begins no search."""
    engine = InProcessEngine(row.name)
    engine.protocol.write = lambda *lines: None
    engine.session.start = engine.session.run = lambda *arguments, **more: None
    return engine


def lines(begin, token, size):
    """Return the lines of a command with a token repeated up to `size` characters."""
    head, line_end, first = begin.partition("\n")
    text = (token * (size // len(token) + 1))[:size]
    return [head, first + text, "done", "."] if line_end else [head + text]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_time_is_linear_in_the_length_of_a_line(engine, row):
    tried = [(f"{name} ", TOKENS[:1]) for name in sorted(engine.protocol.table.keys() - WORDS)]
    tried += [(begin, TOKENS) for begin in BEGINNINGS.get(row.name, [])]

    def cost(begin, token, size):
        return seconds(engine.send, *lines(begin, token, size))

    for begin, tokens in tried:
        for token in tokens:
            assert not grows(functools.partial(cost, begin, token), SHORT, SECONDS), (begin, token)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_memory_is_linear_in_the_length_of_a_line(engine, row, cases):
    tried = [(f"{name} ", "ab ") for name in engine.protocol.table.keys() - WORDS]
    tried += itertools.product(BEGINNINGS.get(row.name, []), [*TOKENS, "ab ", "1- "])
    drawn = (dice.choice(sorted(tried)) for dice in cases)
    for begin, token in itertools.chain(FAT.get(row.name, []), drawn):
        engine.send(*lines(begin, token, 50))  # loads the code
        sent = lines(begin, token, MEASURED)
        assert peak(engine.send, *sent) < 10 * MEASURED + CONSTANT, (begin, token)


# ---- records ------------------------------------------------------------------------------------------


GGF = (
    "(;GM[Othello]PB[a]PW[b]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- --------"
    " -------- *]"
)
SHUFFLE = "+3948GI\n-7162GI\n+4839GI\n-6271GI\n"  # the position comes again and again
STEPS = (SHUFFLE, "(1. 33-29)", "変化：2手\n1 ２六歩(27)\n")
# {format: (beginnings, repeated parts)}: each part is repeated after each beginning.
GRAMMARS = {
    "pgn": (
        ["", "1. e4 e5 ", '[Event "', "1. e4 {"],
        [
            *'[|]|{|}|(|)|;|%|$|<|.|!|9|a|-|\\|*|\n|\r| |[a "b"]\n|[a "|[a |\n[x'.split("|"),
            *"{a}|[%eval |$1 |1.|1-|0-0 |1/2 |--|e4 e5 |(1. d4 |; \n|\n\n".split("|"),
        ],
    ),
    "sgf": (
        ["", "(;GM[4]SZ[15]", "(;GM[4];B[hh]", "(;C["],
        "( ) ; [ ] \\ C : (; C[a] AB[aa] AB[aa:oo] AB[aa:zz] ;W[ii] W[resign]".split(),
    ),
    "ggf": (["", GGF], ["(;GM[Othello]", "B[f5]", "B[f5//1]", "1.", "-"]),
    "psq": (
        ["", "Piskvorky 15x15, 1:1, 0\n"],
        ["Piskvorky 15x15, 1:1, 0\n", "8,8,1\n", "0,Freestyle\n", "a\n", "0,"],
    ),
    "json": (["", '{"game": "chess", "moves": ["'], ['{"', "[", "{}\n", '{"tournament":']),
    "epd": (["", "4k3/8/8/8/8/8/8/4K3 w - - "], ["8/", "# a\n", "#", ' id "a";', "a ", "w "]),
    "obf": (["", "-" * 64 + " X "], ["- ", "-" * 64 + " X\n", "G8:+1;", "%", "8 "]),
    "moves": (
        ["", "e4 e5 ", "e4 e5\n"],
        ["1.\n", "#", "1-0 ", "moves ", "e", "1,1 ", "1,-1, ", "_", ", ", "e4e5"],
    ),
    "pdn": (
        ["", '[GameType "20"]\n1. 32-28 19-23 ', '[FEN "W:W', "1. 32-28 {"],
        ["32-28 ", "1-", "1- ", "x", "31,", "K", ":B", "%a\n", "[x\n", "2-0 ", "(1. 33-29)", "{a}"],
    ),
    "kif": (
        ["", "手合割：平手\n1 ７六歩(77)\n", "|"],
        [
            *"変化：1手\n|変化：2手\n1 ２六歩(27)\n|* a\n|a：b\n|▲７六歩△|2 投了\n|v歩|1 |(".split(
                "|"
            ),
            "先手の持駒：歩\n",
        ],
    ),
    "csa": (
        ["", "PI\n+\n+7776FU\n", "P1"],
        f"{SHUFFLE}|-3334FU\n|+|%TORYO\n|T1\n|'*a\n|N+a\n|PI\n|00FU|P+00AL\n|,|*".split("|"),
    ),
}


def reading(kind, begin, part, size):
    """Return the CPU seconds to read a text in which `part` is repeated up to `size` characters."""

    def read(text):
        guess(text)
        list(Collection(text, kind))

    return seconds(read, begin + part * (size // len(part)))


@pytest.mark.parametrize("kind", GRAMMARS)
def test_time_is_linear_in_the_length_of_a_short_text(kind):
    for case in itertools.product(*GRAMMARS[kind]):
        assert not grows(functools.partial(reading, kind, *case), 2_500, SECONDS), case


@pytest.mark.parametrize("kind", GRAMMARS)
def test_time_is_linear_in_the_length_of_a_long_text(kind, cases):
    for dice in cases:
        case = tuple(map(dice.choice, GRAMMARS[kind]))
        assert not grows(functools.partial(reading, kind, *case), SHORT, SECONDS), case


@pytest.mark.parametrize("kind", GRAMMARS)
def test_memory_is_linear_in_the_length_of_a_text(kind, cases):
    known = ((FORMER, *case) for case in FAT.get(kind, []))
    drawn = ((MEASURED, *map(dice.choice, GRAMMARS[kind])) for dice in cases)
    for size, begin, part in itertools.chain(known, drawn):
        text = begin + part * (size // len(part))
        list(Collection(begin + part, kind))  # loads the code

        # Texts of moves need more, since each move becomes a step of the record.
        most = (60 if part in STEPS else 10) * len(text.encode()) + CONSTANT
        assert peak(lambda: [*map(id, Collection(text, kind))]) < most, (begin, part)


@pytest.mark.parametrize("data", [b"\xffRenLib\xff" + bytes(12) + b"\x88\x08", b"<database>"])
def test_time_is_linear_in_the_length_of_an_archive(data):
    def cost(part, size):
        return seconds(Collection, data + part * (size // len(part)))

    for part in (b"ab", b"<game ", b"<game><move>", b"<!--", b'a="', b"<player id="):
        assert not grows(functools.partial(cost, part), SHORT, SECONDS), part
