"""PGN, the format of chess games: the standard, and common deviations from it.

It is also read for other games if the caller names the game.
"""

from __future__ import annotations

import re

from games import registry
from games.looks import title_of
from games.options import CHESS960
from protocol.notation import read_any_move
from protocol.options import needed_options
from protocol.records.builder import Builder
from protocol.records.pgn_text import (
    DOUBLE_FORFEIT,
    TAG_NAME,
    TOKEN,
    bare_comment,
    bare_line,
    comment_words,
    extract,
    header_tokens,
    is_end,
    read_result,
    tag_of,
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
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.base import Game, Position
    from protocol.records.record import Line

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_OWN_TAGS = ("White", "Black", "Result", "FEN", "SetUp")
_STANDARD = ("", "standard", "normal", "regular", "fromposition")
_CHESS960 = ("960", "frc", "wildfr", "fischerandom", "fischerrandom")
_CHESS960_OPTION = CHESS960.name
_WIDTH = 100
_SCORE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_RESULTS_BEGIN = "0123456789\u00bd*"

# Numeric annotation glyphs of the symbols after moves (PGN standard, section 10; ChessBase).
_SYMBOLS = (
    "3:\u203c 4:\u2047 5:\u2049 7:\u25a1 10:= 13:\u221e 14:+= 14:+/= 14:\u2a72 15:=+ 15:=/+ "
    "15:\u2a71 16:+/- 16:\u00b1 17:-/+ 17:\u2213 18:+- 19:-+ 22:\u2299 36:\u2191 40:\u2192 "
    "44:=/\u221e 132:\u21c6 146:N 201:D"
)
_NAG = re.compile("[1-9][0-9]{0,2}")
_GLYPHS = {mark: number for number, mark in enumerate(MARKS, 1)}
_GLYPHS.update((pair.split(":")[1], int(pair.split(":")[0])) for pair in _SYMBOLS.split())
_GLYPH = re.compile(
    "|".join(re.escape(glyph) for glyph in sorted(_GLYPHS, key=len, reverse=True) if glyph != "D")
)
_WITH_GLYPHS = re.compile(rf"(.+?)((?:{_GLYPH.pattern}){{1,4}})")
# Annotations of old books that the move itself implies.
_REDUNDANT = frozenset(
    "ch ch. check mate checkmate dbl dbl. dis dis. dis.ch dis.ch. dbl.ch dbl.ch. e.p. ep ep. "
    "e.p + ++ #".split()
)

# ---- a game --------------------------------------------------------------------------


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable."""
    header = header_tokens(text)
    tags = dict(tag_of(token) for token in header if token.lastgroup == "tag")
    tags.pop("", None)
    record = Record(_start(tags, game_name))
    stated = read_result(tags.get("Result", ""))
    reader = _Reader(record, stated)
    for token in header:
        reader.take_header(token)
    result = reader.read(text, header[-1].end() if header else 0)
    swapped = record.start.game.colours[0] == "Black"
    _set_headers(record, tags, swapped)
    if result in (None, "*"):
        result = stated or result
    if reader.score:
        record.tags["SCORE"] = reader.score
    if result == DOUBLE_FORFEIT:
        record.tags["Result"], result = result, "*"
    return reader.builder.finish(_swap(result) if swapped else result)


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
    for name in registry.names():
        game = registry.get(name)
        names = map(_variant, (name, title_of(game), *game.aliases))
        if game.san and variant in names:
            return game
    return None


def _variant(text: str) -> str:
    """Return the name of a variant without signs and without "chess"."""
    return re.sub(r"[\s_/-]|chess", "", text.lower())


def _set_headers(record: Record, tags: Mapping[str, str], swapped: bool) -> None:
    white, black = (tags.get(name, "") for name in ("White", "Black"))
    white, black = ("" if name == "?" else name for name in (white, black))
    record.players = (black, white) if swapped else (white, black)
    record.tags = _headers(tags)
    if record.start.options.get(_CHESS960_OPTION) or record.start.game.name != "chess":
        record.tags.pop("Variant", None)


def _headers(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the headers among tags, without the placeholders `?` of PGN."""
    return {
        name: value
        for name, value in tags.items()
        if name not in _OWN_TAGS and (name not in _ROSTER or re.search(r"[^\s?.]", value))
    }


def _swap(result: str | None) -> str | None:
    """Convert a result for White into one for Black, the player who moves first."""
    return {"1-0": "0-1", "0-1": "1-0"}.get(result or "", result)


class _Reader:
    """A reader of a game's moves."""

    def __init__(self, record: Record, stated: str | None) -> None:
        """stated: the result in the header."""
        self._is_chess, self._stated = record.start.game.san, stated
        self.builder = Builder(record, read_any_move)
        self.score = ""  # the discs of both players after the moves
        self._skipped = 0  # open brackets of an unreadable part
        self._closes = False  # does its end close a variation?

    def take_header(self, token: re.Match[str]) -> None:
        """Read what stands between the tags."""
        kind, text = token.lastgroup, token.group().strip()
        if kind == "comment":
            self._comment(bare_comment(text))
        elif kind != "tag":
            self._warn(f'unexpected "{shown(text)}" between tags', token)
        elif not tag_of(token)[0]:
            self._warn(f'"{shown(text)}" is not a tag', token)
            self._comment(bare_line(text))

    def _warn(self, reason: str, token: re.Match[str]) -> None:
        self.builder.record.warnings.append(RecordError(reason, token.start()))

    def read(self, text: str, begin: int) -> str | None:
        """Read tokens from `begin` on; return the result or None."""
        builder, tokens = self.builder, TOKEN.finditer(text, begin)
        for token in tokens:
            result = self._result_of(token)
            if result is not None:
                for after in tokens:
                    if after.lastgroup == "comment":
                        self._take(after)
                return result
            try:
                self._take(token)
            except RecordError as error:
                builder.fail(error, token.start())
                if not self._goes_on(token.group()):
                    break
        if builder.depth:
            builder.fail(RecordError('unclosed variation: expected ")"'), len(text.rstrip()))
        return None

    def _result_of(self, token: re.Match[str]) -> str | None:
        """Return the result of the game that a token states, None if it states none.

        Only its place distinguishes a double forfeit, 0-0, from castling.
        """
        word = token.group()
        if self.builder.depth or word[0] not in _RESULTS_BEGIN:
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
        self.score = word
        lead = int(score[1]) - int(score[2])
        return result_of(int(lead < 0) if lead else None)

    def _goes_on(self, token: str) -> bool:
        """Skip the variation in which a token can't be read; return False in the main line."""
        if token == "(" or self.builder.depth:
            self._skipped, self._closes = 1, token != "("
        return bool(self._skipped) or token == ")"

    def _take(self, token: re.Match[str]) -> None:
        """Read a token other than the result of the game."""
        builder, kind, text = self.builder, token.lastgroup, token.group()
        if kind == "tag":
            self._warn("a tag among the moves", token)
            self._comment(bare_line(text))
        elif self._skipped:
            self._skip(text)
        elif kind == "comment":
            self._comment(bare_comment(text))
            if text[0] == "{" and text[-1] != "}":
                raise RecordError('unclosed comment: expected "}"')
        elif text == "(":
            builder.open()
        elif text == ")":
            if not builder.depth:
                raise RecordError('unexpected ")": no variation is open')
            builder.close()
        elif kind == "nag":
            self._nag(text)
        elif kind == "angle" and text != "<>":
            self._comment(bare_line(text))
        elif text == "}":
            self._warn('unexpected "}": no comment is open', token)
        elif kind in ("angle", "word"):
            self._word(text)

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

    def _nag(self, token: str) -> None:
        number = int(token[1:]) if len(token) <= 8 else 1000
        if 0 < number < 1000:
            self.builder.nag(number)
        elif number:
            self._comment(token)

    def _move(self, token: str) -> None:
        """Play a move; add the glyphs after it, unless they are part of its text."""
        try:
            step = self.builder.play(token)
            marks = token[len(token.rstrip("!?")) :]
            nags = [_GLYPHS[marks[:2]]] if marks else []
        except RecordError:
            found = _WITH_GLYPHS.fullmatch(token)
            if found is None:
                raise
            step = self.builder.play(found[1])
            nags = [_GLYPHS[glyph] for glyph in _GLYPH.findall(found[2])]
        step.nags += nags

    def _skip(self, token: str) -> None:
        """Skip a token of an unreadable variation."""
        self._skipped += {"(": 1, ")": -1}.get(token, 0)
        if not self._skipped and self._closes:
            self.builder.close()

    def _comment(self, text: str) -> None:
        """Add a comment, and its commands such as [%clk 0:01:00], at the current place."""
        if not text or self._skipped:
            return
        text, commands = extract(text)
        for name, values in commands.items():
            self.builder.note(name, values)
        self.builder.remark(text)


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record of chess as PGN."""
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in _tags(record).items())
    position = record.start.position()
    said = dict(record.said)
    values = said.pop("nag", [])
    others = [value for value in values if not _NAG.fullmatch(value)]
    words = [f"${value}" for value in values if value not in others]
    words += comment_words(record.comment, {"nag": others}, said)
    words += _words(position, record.line, _first_number(position))
    return f"{head}\n{_wrap([*words, _result(record)])}\n"


def _result(record: Record) -> str:
    """Return the result as PGN has it, which knows that both players may lose."""
    is_double = record.result == "*" and record.tags.get("Result") == DOUBLE_FORFEIT
    return DOUBLE_FORFEIT if is_double else record.result


def _tags(record: Record) -> dict[str, str]:
    white, black = (name.strip() or "?" for name in record.players)
    tags = dict.fromkeys(_ROSTER, "?")
    tags.update(Date="????.??.??", White=white, Black=black, Result=_result(record))
    is_chess960, game = record.start.options.get(_CHESS960_OPTION), record.start.game
    is_variant = is_chess960 or game.san and game.name != "chess"
    for name, value in _headers(record.tags).items():
        other = name == "Variant" and (is_variant or _variant(value) not in _STANDARD)
        if TAG_NAME.fullmatch(name) and not other:
            tags[name] = value
    if record.start.text is not None:
        tags.update(SetUp="1", FEN=record.start.text)
    if is_variant:
        tags["Variant"] = title_of(game) if game.name != "chess" else "Chess960"
    return tags


def _escape(value: str) -> str:
    return tidy(value).replace("\n", " ").strip().replace("\\", "\\\\").replace('"', '\\"')


def _first_number(position: Position) -> int:
    return int(position.text().split()[-1])


def _words(position: Position, line: Line, number: int) -> list[str]:
    """Return the words of a line; the position stays unchanged."""
    found: list[str] = []
    numbered = False
    for step in walk(position, line):
        before, said = extract(bare_line(step.before)) if step.before else ("", {})
        if before:
            found += comment_words(before, {})
            numbered = False
        if position.side == 0:
            found.append(f"{number}.")
        elif not numbered:
            found.append(f"{number}...")
        found.append(position.notation(step.move))
        remarks = [f"${nag}" for nag in step.nags] + comment_words(step.comment, said, step.said)
        for variation in step.variations:
            inner = _words(position, variation, number)
            inner[0] = "(" + inner[0]
            inner[-1] += ")"
            remarks += inner
        found += remarks
        numbered = not remarks
        number += position.side
    return found


def _wrap(words: list[str]) -> str:
    """Wrap words into lines; none begins like an escape (%) or a tag."""
    lines, length = [""], _WIDTH
    for word in words:
        if length + len(word) >= _WIDTH and word[0] not in "%[" or not lines[-1]:
            lines.append(word)
            length = len(word)
        else:
            lines[-1] += " " + word
            length += len(word) + 1
    return "\n".join(lines[1:])
