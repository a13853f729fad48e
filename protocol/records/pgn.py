"""PGN, the format of chess games: the standard, and common deviations from it.

It is also read for other games if the caller names the game.
"""

from __future__ import annotations

import re

from games import registry
from games.looks import title_of
from games.options import CHESS960
from protocol.notation import read_any_move
from protocol.records.builder import Builder
from protocol.records.pgn_text import (
    COMMAND,
    DOUBLE_FORFEIT,
    GLUE,
    TAG_NAME,
    TOKEN,
    bare_comment,
    bare_line,
    comment_words,
    header_of,
    is_end,
    is_unclosed,
    read_result,
    tag_of,
    without_commands,
)
from protocol.records.pgn_text import split as split
from protocol.records.record import (
    MARKS,
    Record,
    RecordError,
    Start,
    shown,
    walk,
)
from protocol.records.text import tidy
from protocol.rules import needed_options
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.base import Game, Position
    from protocol.records.record import Line

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_OWN_TAGS = ("White", "Black", "Result", "FEN", "SetUp", "Variant")
_STANDARD = ("", "standard", "normal", "regular", "fromposition")
_CHESS960 = ("960", "frc", "wildfr", "fischerandom", "fischerrandom")
_CHESS960_OPTION = CHESS960.name
_LINE = re.compile(r"(.{1,100}|\S+)(?: |\Z)")
_NO_BEGIN = re.compile(r" (?=[%\[])")  # these signs mean something else where a line begins
_SCORE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_CLOSING = {")": "variation", "}": "comment"}
_RESULTS_BEGIN = "0123456789\u00bd*"

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

# ---- a game --------------------------------------------------------------------------


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable."""
    tags, header_end = header_of(text)
    record = Record(_start(tags, game_name))
    is_swapped = record.start.game.colours[0] == "Black"
    players = [tags.get(name, "") for name in ("White", "Black")]
    players = ["" if name == "?" else name for name in players]
    record.players = tuple(players[::-1] if is_swapped else players)
    record.tags = _headers(tags)
    stated = read_result(tags.get("Result", ""))
    reader = _Reader(record, stated, header_end)
    builder = reader.builder
    builder.read(TOKEN.finditer(text), reader.take, lambda token: (token.group(), token.start()))
    if builder.depth:
        builder.fail(RecordError('unclosed variation: expected ")"'), len(text.rstrip()))
    result = stated if reader.result in (None, "*") and stated else reader.result
    if result == DOUBLE_FORFEIT:
        record.tags["Result"], result = result, "*"
    if is_swapped:  # Record.result is for the player who moves first
        result = {"1-0": "0-1", "0-1": "1-0"}.get(result or "", result)
    return builder.finish(result)


def _start(tags: Mapping[str, str], game_name: str | None) -> Start:
    """Return the start in the tags; raise RecordError if the variant is unsupported."""
    fen = " ".join(tags.get("FEN", "").split()) or None
    if game_name is not None and registry.canonical(game_name) != "chess":
        return Start(game_name, fen)
    variant = _variant(tags.get("Variant", ""))
    game = _game_of(variant)
    if game is None:
        raise RecordError(f"unsupported variant: {shown(tags['Variant'])}")
    options = {_CHESS960_OPTION: True} if variant in _CHESS960 else needed_options(game, fen)
    return Start(game, fen, options)


def _game_of(variant: str) -> Game | None:
    """Return the game that a tag Variant names, chess without one; None if it is unknown."""
    if variant in _STANDARD or variant in _CHESS960:
        return registry.get("chess")
    for game in map(registry.get, registry.names()):
        if game.san and variant in map(_variant, (game.name, title_of(game), *game.aliases)):
            return game
    return None


def _variant(text: str) -> str:
    """Return the name of a variant without signs and without "chess"."""
    return re.sub(r"[\s_/-]|chess", "", text.lower())


def _headers(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the headers among tags, without the placeholders `?` of PGN."""
    return {
        name: value
        for name, value in tags.items()
        if name not in _OWN_TAGS and (name not in _ROSTER or re.search(r"[^\s?.]", value))
    }


class _Reader:
    """A reader of a game's comments and moves.

    stated: the result in the header.  header_end: end of its last tag.
    """

    def __init__(self, record: Record, stated: str | None, header_end: int) -> None:
        self._is_chess, self._stated = record.start.game.san, stated
        self._header_end = header_end
        self.result: str | None = None
        self.builder = Builder(record, read_any_move)

    def _result_of(self, token: re.Match[str]) -> str | None:
        """Return the result of the game that a token states, None if it states none.

        Only its place distinguishes a double forfeit, 0-0, from castling.
        """
        word = token.group()
        if self.builder.depth:
            return None
        result = read_result(word)
        if token.lastgroup == "result":
            return result
        if result == DOUBLE_FORFEIT and is_end(token.string, token.end()):
            if self._stated == DOUBLE_FORFEIT or not self.builder.can_play(word):
                return result
        score = None if self._is_chess else _SCORE.fullmatch(word)
        if score is None:
            return None
        self.builder.record.tags["SCORE"] = word
        lead = int(score[1]) - int(score[2])
        return result_of(int(lead < 0) if lead else None)

    def take(self, token: re.Match[str]) -> None:
        """Read a token; only comments may follow the result."""
        kind, text = token.lastgroup, token.group()
        if kind == "comment":
            self._comment(bare_comment(text))
            if is_unclosed(token):
                raise RecordError('unclosed comment: expected "}"')
        elif self.result is not None:
            return
        elif text[0] in _RESULTS_BEGIN and (result := self._result_of(token)) is not None:
            self.result = result
        elif kind == "tag" or token.start() < self._header_end:
            self._header(token)
        elif kind == "remark":
            self._comment(bare_line(text))
        elif kind == "word":
            self._word(text)
        elif kind == "nag" and text.strip("$0"):
            self.builder.nag(int(text[1:]))
        elif text == "(":
            self.builder.open()
        elif text == ")" and self.builder.depth:
            self.builder.close()
        elif text in _CLOSING:
            self._warn(f'unexpected "{text}": no {_CLOSING[text]} is open', token)

    def _header(self, token: re.Match[str]) -> None:
        """Report a tag among the moves, a line that isn't a tag, or text between tags."""
        text = token.group().strip()
        if token.lastgroup != "tag":
            self._warn(f'unexpected "{shown(text)}" between tags', token)
        elif not (name := tag_of(token)[0]) or token.start() >= self._header_end:
            reason = "a tag among the moves" if name else f'"{shown(text)}" is not a tag'
            self._warn(reason, token)
            self._comment(bare_line(text))

    def _warn(self, reason: str, token: re.Match[str]) -> None:
        self.builder.record.errors.append(RecordError(reason, token.start()))

    def _word(self, word: str) -> None:
        """Play a move, or add the glyph that stands alone."""
        builder = self.builder
        if word in _GLYPHS and builder.line:
            builder.nag(_GLYPHS[word])
        elif word[0] == "%" or word.lower() in _REDUNDANT:
            pass
        elif self._is_chess and word.isdigit() and word != "0000":
            pass  # a move number needs no period and has any length (PGN 8.2.2.1)
        elif word.strip("])!?"):
            self._move(word)
        elif word[0] in "!?":
            builder.nag(_GLYPHS[word if word in _GLYPHS else word[0]])

    def _move(self, token: str) -> None:
        """Play a move; add the glyphs after it, unless they are part of its text."""
        try:
            step = self.builder.play(token)
            glyphs = token[len(token.rstrip("!?")) :]
        except RecordError:
            found = _WITH_GLYPHS.fullmatch(token)
            if found is None:
                raise
            step = self.builder.play(found[1])
            glyphs = found[2]
        if glyphs:
            step.nags += [_GLYPHS[glyph] for glyph in _GLYPH.findall(glyphs)]

    def _comment(self, text: str) -> None:
        """Add a comment, and its commands such as [%clk 0:01:00], at the current place."""
        for name, value in COMMAND.findall(text):
            self.builder.note(name, [value.strip()])
        self.builder.remark(without_commands(text))


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record of chess as PGN."""
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in _tags(record).items())
    position = record.start.position()
    words = comment_words(record.comment, record.said)
    words += _words(position, record.line, int(position.text().split()[-1]))
    text = _NO_BEGIN.sub(GLUE, " ".join([*words, _result(record)]))
    return head + "\n" + _LINE.sub(r"\1\n", text).replace(GLUE, " ")


def _result(record: Record) -> str:
    """Return the result as PGN writes it, including a double forfeit."""
    is_double = record.result == "*" and record.tags.get("Result") == DOUBLE_FORFEIT
    return DOUBLE_FORFEIT if is_double else record.result


def _tags(record: Record) -> dict[str, str]:
    white, black = (name.strip() or "?" for name in record.players)
    tags = dict.fromkeys(_ROSTER, "?")
    tags.update(Date="????.??.??", White=white, Black=black, Result=_result(record))
    for name, value in _headers(record.tags).items():
        if TAG_NAME.fullmatch(name):
            tags[name] = value
    if record.start.text is not None:
        tags.update(SetUp="1", FEN=record.start.text)
    game = record.start.game
    if game.san and game.name != "chess":
        tags["Variant"] = title_of(game)
    elif record.start.options.get(_CHESS960_OPTION):
        tags["Variant"] = "Chess960"
    return tags


def _escape(value: str) -> str:
    return tidy(value).replace("\n", " ").strip().replace("\\", "\\\\").replace('"', '\\"')


def _words(position: Position, line: Line, first: int) -> list[str]:
    """Return the words of a line; the position stays unchanged.

    first: number of its first turn.
    """
    found: list[str] = []
    numbered = False
    for number, step in walk(position, line, first):
        if step.before:
            found += comment_words(step.before, {})
            numbered = False
        if position.side == 0:
            found.append(f"{number}.")
        elif not numbered:
            found.append(f"{number}...")
        found.append(position.notation(step.move))
        remarks = [f"${nag}" for nag in step.nags] + comment_words(step.comment, step.said)
        for variation in step.variations:
            inner = _words(position, variation, number)
            inner[0] = "(" + inner[0]
            inner[-1] += ")"
            remarks += inner
        found += remarks
        numbered = not remarks
    return found
