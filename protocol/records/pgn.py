"""PGN, the format of chess games: the standard, and common deviations from it.

PGN is also read for other games if the caller names the game.  PDN is a dialect of PGN.
"""

from __future__ import annotations

import re

from games import registry
from games.looks import title_of
from games.options import BOARD_SIZE, CHESS960
from protocol.moves import read_any_move
from protocol.records.builder import Builder, best_of, read_as
from protocol.records.pgn_text import (
    DASHES,
    DOUBLE_FORFEIT,
    TAG_NAME,
    TOKEN,
    header_of,
    is_end,
    is_unclosed,
    read_result,
    split,
    tag_of,
)
from protocol.records.record import (
    MARKS,
    RESULTS,
    Format,
    Record,
    RecordError,
    Start,
    needed_options,
    result_by_points,
    shown,
    walk,
)
from protocol.records.text import one_line, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.base import Game, Position
    from protocol.records.builder import Read
    from protocol.records.record import Line, Said

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
# Names in the tag Variant for which Plyglot has other names.
_CHESS960 = ("960", "frc", "wildfr", "fischerandom", "fischerrandom", "freestyle")
_VARIANTS = {
    **dict.fromkeys(("", "regular", "fromposition", "classical", *_CHESS960), "chess"),
    "atom": "atomic",
    "house": "crazyhouse",
    "race": "racingkings",
}
# German letters of pieces -> English ones.  A text with German letters has no English ones.
_GERMAN = str.maketrans("DTLSQRBN", "QRBN%%%%")
# Matches the tag GameType of PlayOK's Gomoku, with the size of the board.  The tags White and Black
# name two seats: after three stones, the seat White chooses a colour by the word `white` or
# `black`.  A seat that has no turn has `--` in the place of its move.
_SEATS = re.compile(r"6[01],(1\d|20|[5-9])")
_CHOSE_BLACK = re.compile(r"\d\s+black\s+\d", re.IGNORECASE)
_COMMAND = re.compile(r"\[%([A-Za-z_][A-Za-z0-9_]*)\s([^\[\]]*)\]")
_COMMAND_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_ROUND, _SQUARE = str.maketrans("{}", "()"), str.maketrans("[]", "()")
_GLUE = "\0"  # stands for a space where a line must not be broken
_LINE = re.compile(r"(.{1,100}|\S+)(?: |\Z)")
# No line may begin with % or [, which have another meaning there.
_NO_BEGIN = re.compile(r" (?=[%\[])")
_CLOSING = {")": "variation", "}": "comment"}
_RESULTS_BEGIN = "0123456789\u00bd*"
_WORDS = rf"\s(?:[ND]|mate|ch|dbl|e\.p\.|1/2|[01] ?[:{DASHES}] ?[01]|[01] - [01])(?!\S)"

# Numeric annotation glyphs of the symbols after moves (PGN standard, section 10; ChessBase).
_SYMBOLS = (
    "3:\u203c 4:\u2047 5:\u2049 7:\u25a1 10:= 13:\u221e 14:+= 14:+/= 14:\u2a72 15:=+ 15:=/+ "
    "15:\u2a71 16:+/- 16:\u00b1 17:-/+ 17:\u2213 18:+- 19:-+ 22:\u2299 36:\u2191 40:\u2192 "
    "44:=/\u221e 132:\u21c6 146:N 201:D"
)
_GLYPHS = {mark: number for number, mark in enumerate(MARKS, 1)}
_GLYPHS.update((pair.split(":")[1], int(pair.split(":")[0])) for pair in _SYMBOLS.split())
_GLYPH = re.compile(
    "|".join(re.escape(glyph) for glyph in sorted(_GLYPHS, key=len, reverse=True) if glyph != "D")
)
_WITH_GLYPHS = re.compile(rf"(.+?)((?:{_GLYPH.pattern}){{1,4}})")
# Annotations of old books that repeat what the move implies.
_REDUNDANT = frozenset(
    "ch ch. check mate checkmate dbl dbl. dis dis. dis.ch dis.ch. dbl.ch dbl.ch. e.p. ep ep. "
    "e.p + ++ #".split()
)


class Pgn(Format):
    """PGN, with tags, moves and results as in chess and its variants.

    A dialect overrides start() and start_tags(), `token`, `results` and `counts_points`.
    """

    title = "PGN"
    games = "chess and its variants"
    suffixes = (".pgn",)
    sign = re.compile(r"\A[\[%;{]")
    # Matches a text of one of three kinds.  (1) Tags after other text.  (2) Numbered moves with
    # comments, variations, glyphs, words or other spellings of results: plain lists of moves have
    # none of these.  (3) A single game with marks such as "!" after moves: plain lists of moves
    # have a game on each line, and no marks.
    hint = re.compile(
        r'(?m:^[ \t]*\[\s*\w+\s*"[^"\n]*"\s*\])'
        r"|\A\d{1,6}\s+\."
        r"|\A\d{1,6}\.(?:[^{($#]|(?<=\S)#)*?"
        rf"(?:[{{(\u00b1\u2213\u221e\u2a71\u2a72\u00bd]|\$\d|\+/-|-/\+|{_WORDS})"
        r"|(?s:\A1\.(?!.*\n[ \t]*1\.).*\w[!?])"
    )
    between = True
    separator = "\n"
    date = "."
    token = TOKEN
    own_tags: tuple[str, ...] = ("White", "Black", "Result", "FEN", "SetUp", "Variant")
    results: Mapping[str, str] = {}  # More spellings of results -> one of RESULTS.

    counts_points = True  # In games without SAN, may a score such as 38-26 end the moves?

    def usual(self, game: Game) -> bool:
        return game.san

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        return split(text)

    # ---- what dialects override ------------------------------------------------------

    def start(self, tags: Mapping[str, str], game_name: str | None, text: str) -> Start:
        """Return the start in the tags; raise RecordError if the variant is unsupported.

        text: the whole game, for a dialect in which only the moves tell the variant.
        """
        fen = one_line(tags.get("FEN", "")) or None
        seats = _SEATS.fullmatch(tags.get("GameType", ""))
        name = "gomoku" if game_name in (None, "chess") else game_name
        if seats and BOARD_SIZE in registry.get(name).options:
            return Start(name, fen, {BOARD_SIZE.name: int(seats[1])})
        result = tags.get("Result", "")
        if game_name is None and not tags.keys() & {"FEN", "Variant", "GameType"}:
            # PlayOK names Othello only by its Result, a count of points (38-26)
            has_points = read_result(result) is None and result_by_points(result) is not None
            game_name = "othello" if has_points else None
        if game_name is not None and registry.canonical(game_name) != "chess":
            return Start(game_name, fen)
        variant = registry.plain(tags.get("Variant", ""))
        game = _game_of(variant)
        if game is None:
            raise RecordError(f"unsupported variant: {shown(tags['Variant'])}")
        options = {CHESS960.name: True} if variant in _CHESS960 else needed_options(game, fen)
        return Start(game, fen, options)

    def start_tags(self, start: Start) -> dict[str, str]:
        """Return the tags that describe a start."""
        tags = {} if start.text is None else {"SetUp": "1", "FEN": start.text}
        if start.game.name != "chess":
            tags["Variant"] = title_of(start.game)
        elif start.options.get(CHESS960.name):
            tags["Variant"] = "Chess960"
        return tags

    # ---- reading and writing ---------------------------------------------------------

    def head(self, text: str, game_name: str | None = None) -> Record:
        return _Reader(self, text, game_name).record

    def read(self, text: str, game_name: str | None = None) -> Record:
        record = _Reader(self, text, game_name).read(read_any_move)
        if record.fault is None or not record.start.game.san:
            return record
        return best_of([record, _Reader(self, text, game_name).read(_read_german)])

    def result(self, text: str) -> str | None:
        """Return the result for White that a text states, None if it states none."""
        result = self.results.get(text) or read_result(text)
        return "*" if result == DOUBLE_FORFEIT else result

    def headers(self, tags: Mapping[str, str]) -> dict[str, str]:
        """Return those tags that are headers, without PGN's placeholders `?`."""
        return {
            name: value
            for name, value in tags.items()
            if TAG_NAME.fullmatch(name) and name not in self.own_tags
            if name not in _ROSTER or re.search(r"[^\s?.]", value)
        }

    def write(self, record: Record) -> str:
        first = record.start.game.colours[0]
        white, black = (name.strip() or "?" for name in _by_colour(record.players, first))
        spelling = _spelling(record.tags.get("Result", ""))  # it may be one of `results`
        result = _for_colour(record.result, first)
        result = spelling if self.result(spelling) == result else result
        tags = dict.fromkeys(_ROSTER, "?")
        tags.update(Date="????.??.??", White=white, Black=black, Result=result)
        tags.update({**self.headers(record.tags), **self.start_tags(record.start)})
        head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
        words = _braced(record.comment, record.said)
        words += self._words(record.start.position(), record.line)
        text = _NO_BEGIN.sub(_GLUE, " ".join([*words, result]))
        return head + "\n" + _LINE.sub(r"\1\n", text).replace(_GLUE, " ")

    def _words(self, position: Position, line: Line, first: int | None = None) -> list[str]:
        """Return the words of a line; the position stays unchanged.

        first: number of its first turn, None if the game starts here.
        """
        words: list[str] = []
        numbered = False
        for number, step in walk(position, line, first):
            if step.before:
                words += _braced(step.before, {})
            if position.side == 0 or not numbered:
                words.append(f"{number}{'...' if position.side else '.'}")
            words.append(position.notation(step.move))
            remarks = [f"${nag}" for nag in step.nags] + _braced(step.comment, step.said)
            for variation in step.variations:
                remarks.append(f"({' '.join(self._words(position, variation, number))})")
            words += remarks
            numbered = not remarks
        return words


def _game_of(variant: str) -> Game | None:
    """Return the game that a plain tag Variant names; chess if it is empty, None if unknown."""
    name = _VARIANTS.get(variant) or registry.find(variant)
    game = None if name is None else registry.get(name)
    return game if game is not None and game.san else None


def _read_german(position: Position, text: str) -> int:
    """Return the move of a text in which D, T, L and S are queen, rook, bishop and knight."""
    return read_as(read_any_move, text.translate(_GERMAN), position, text)


class _Reader:
    """A reader of one game.

    record: from the beginning it has all that the tags state: start, players, headers, result.
    """

    _ending = ""  # the result that ends the moves

    def __init__(self, dialect: Pgn, text: str, game_name: str | None) -> None:
        tags, self._header_end = header_of(text)
        self._dialect, self._text = dialect, text
        self.record = Record(dialect.start(tags, game_name, text))
        self.record.tags = dialect.headers(tags)
        game = self.record.start.game
        self._has_seats = _SEATS.fullmatch(tags.get("GameType", "")) is not None
        # The colour of the first player; in PlayOK's Gomoku, the colour of this player's seat.
        self._first = game.colours[self._has_seats and _CHOSE_BLACK.search(text) is not None]
        players = [tags.get(name, "") for name in ("White", "Black")]
        players = ["" if name == "?" else name for name in players]
        self.record.players = tuple(_by_colour(players, self._first))
        self._stated = tags.get("Result", "")
        self.record.result = self._result(self._stated) or "*"
        variant = tags.get("Variant")
        if variant is not None and _game_of(registry.plain(variant)) not in (game, None):
            reason = f'the tag Variant is "{shown(variant)}", but the game is read as {game.name}'
            self.record.warn(reason)

    def read(self, read_move: Read) -> Record:
        """Read the comments and moves; return the record."""
        builder = self._builder = Builder(self.record, read_move)
        position = builder.position
        moves = [] if position.game.san else map(position.move_text, position.legal_moves())
        self._moves_are_numbers = any(map(str.isdigit, moves))
        tokens = self._dialect.token.finditer(self._text)
        builder.read(tokens, self._take, lambda token: (token.group(), token.start()))
        if builder.depth:
            end = len(self._text.rstrip())
            builder.fail(RecordError('unclosed variation: expected ")"'), end)
        if self._ending in ("", "*") and self._result(self._stated):
            self._ending = self._stated
        spelling, result = _spelling(self._ending), self._result(self._ending)
        if result is not None and spelling not in RESULTS:
            is_result = self._dialect.result(spelling) is not None
            self.record.tags["Result" if is_result else "SCORE"] = spelling
        return builder.finish(result)

    def _result(self, text: str) -> str | None:
        """Return the result that a text states, for the player who moves first, or None.

        PGN states it for White, but a count of points is for the player who moves first.
        """
        result = self._dialect.result(text)
        if result is not None:
            return _for_colour(result, self._first)
        counts_points = self._dialect.counts_points and not self.record.start.game.san
        return result_by_points(text) if counts_points else None

    def _is_result(self, token: re.Match[str], word: str) -> bool:
        """Does a token with the text `word` state the result?

        A double forfeit (0-0) and a count of points look like moves.  So they count as results
        only at the end of the game.
        """
        if self._builder.depth:
            return False
        if token.lastgroup == "result" or word in self._dialect.results:
            return True
        if not is_end(token.string, token.end()) or self._result(word) is None:
            return False
        is_stated = read_result(word) == read_result(self._stated) == DOUBLE_FORFEIT
        return is_stated or not self._builder.reach([word])

    def _take(self, token: re.Match[str]) -> None:
        """Read a token; only comments may follow the result."""
        kind, text = token.lastgroup, token.group()
        if kind == "word":
            text = "".join(text.split())
        if kind == "comment":
            words = text[1:].rstrip("}") if text[0] == "{" else text[1:]
            self._comment("" if text[0] == "%" else words)
            if is_unclosed(token):
                raise RecordError('unclosed comment: expected "}"')
        elif self._ending:
            return
        elif text[0] in _RESULTS_BEGIN and self._is_result(token, text):
            self._ending = text
        elif kind == "tag" or token.start() < self._header_end:
            self._tag(token)
        elif kind == "remark":
            self._comment(text)
        elif kind == "word":
            self._word(text)
        elif kind == "nag" and text.strip("$0"):
            self._builder.nag(int(text[1:]))
        elif text == "(":
            self._builder.open()
        elif text == ")" and self._builder.depth:
            self._builder.close()
        elif text in _CLOSING:
            self.record.warn(f'unexpected "{text}": no {_CLOSING[text]} is open', token.start())

    def _tag(self, token: re.Match[str]) -> None:
        """Report a tag among the moves, a line that isn't a tag, or text between tags."""
        text = token.group().strip()
        if token.lastgroup != "tag":
            self.record.warn(f'unexpected "{shown(text)}" between tags', token.start())
        elif not (name := tag_of(token)[0]) or token.start() >= self._header_end:
            reason = "a tag among the moves" if name else f'"{shown(text)}" is not a tag'
            self.record.warn(reason, token.start())
            self._comment(text)

    def _word(self, word: str) -> None:
        """Play the move or add the glyph that a word stands for; skip all other words."""
        builder = self._builder
        if self._has_seats and word.lower() in ("white", "black", "--"):
            if word != "--":
                builder.note("SWAP", [word.lower()])
        elif word in _GLYPHS and builder.line:
            builder.nag(_GLYPHS[word])
        elif word[0] == "%" or word.lower() in _REDUNDANT:
            pass
        elif not self._moves_are_numbers and word.isdigit() and word != "0000":
            pass  # a move number needs no period and has any length (PGN 8.2.2.1)
        elif word.strip("])!?"):
            self._move(word)
        elif word[0] in "!?":
            builder.nag(_GLYPHS[word if word in _GLYPHS else word[0]])

    def _move(self, token: str) -> None:
        """Play a move; add the glyphs after it, unless they are part of its text."""
        try:
            step = self._builder.play(token)
            glyphs = token[len(token.rstrip("!?")) :]
        except RecordError:
            match = _WITH_GLYPHS.fullmatch(token)
            if match is None:
                raise
            step = self._builder.play(match[1])
            glyphs = match[2]
        step.nags += [_GLYPHS[glyph] for glyph in _GLYPH.findall(glyphs)]

    def _comment(self, text: str) -> None:
        """Add a comment, and its commands such as [%clk 0:01:00], at the current place."""
        text = _bare(text)
        for name, value in _COMMAND.findall(text):
            self._builder.note(name, [value.strip()])
        # the rest can't be read as another command
        self._builder.remark(one_line(_COMMAND.sub(" ", text)).replace("[%", "[ %"))


# ---- writing -------------------------------------------------------------------------


def _by_colour(players: Sequence[str], first: str) -> Sequence[str]:
    """Convert (first player, second player) to (White, Black), or back."""
    return players[::-1] if first == "Black" else players


def _for_colour(result: str, first: str) -> str:
    """Convert a result for the first player to one for White, or back."""
    swapped = {"1-0": "0-1", "0-1": "1-0"} if first == "Black" else {}
    return swapped.get(result, result)


def _spelling(result: str) -> str:
    """Return a result in PGN's spelling; unchanged if PGN has no such result, such as 2-0."""
    return read_result(result) or result


def _bare(text: str) -> str:
    """Return a text as one line, with parentheses instead of braces."""
    return one_line(text).translate(_ROUND)


def _braced(text: str, said: Said) -> list[str]:
    """Return a comment and its commands in one pair of braces; nothing if there are none.

    Lines aren't broken within a command.
    """
    words = [
        f"[%{name} {_bare(value).translate(_SQUARE)}]".replace(" ", _GLUE)
        for name, values in said.items()
        if _COMMAND_NAME.fullmatch(name)
        for value in values
    ]
    comment = " ".join([*words, _bare(text).replace("[%", "[ %")]).strip()
    return [f"{{{comment}}}"] if comment else []


def _escape(value: str) -> str:
    return tidy(value).replace("\n", " ").strip().replace("\\", "\\\\").replace('"', '\\"')


FORMAT = Pgn()
