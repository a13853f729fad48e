"""The text of PGN: its tokens, the games of a collection, headers and results."""

from __future__ import annotations

import re

from protocol.records.builder import NULL_MOVES
from protocol.records.record import DEPTHS, RESULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DOUBLE_FORFEIT = "0-0"
DASHES = r"\u2010-\u2015\u2212"  # typographic hyphens, dashes and minus, as in `1\u20130`
_COLON = rf"\s?[-{DASHES}:]\s?"
_RESULT = (
    rf"(?<![^\s(){{}}\].])(?:1{_COLON}0|0{_COLON}1"
    rf"|(?:1/2|\u00bd)(?:{_COLON}(?:1/2|\u00bd))?|\*)(?![^\s(){{}};\[])"
)
_QUOTES, _CLOSING = '"\u201c\u201d\u201e\u00ab', '"\u201c\u201d\u00bb'
# A tag after an empty line, or before another tag, ends a comment that was left open.
_BOUNDARY = (
    rf"\n(?:[ \t]*\n[ \t]*\[\s*\w[\w+#=:-]*\s*[{_QUOTES}]"
    r'|\[\w+ "[^"\n]*"\][ \t]*\n\[\w+ ")'
)
# The standard has no nested braces; but if every inner brace is closed, they were meant to nest.
# The pattern repeats only single characters: a repeated group would need memory for each match.
_INSIDE = rf"(?![^{{}}]*?{_BOUNDARY})[^{{}}]*"
_BRACES = rf"\{{{_INSIDE}\}}"
for _ in range(3):
    _BRACES = rf"\{{{_INSIDE}(?:{_BRACES}{_INSIDE}){{0,9}}\}}"
_COMMENT = rf"{_BRACES}|\{{[^}}]*?(?:\}}|(?={_BOUNDARY})|\Z)|;[^\n]*|^%[^\n]*"
TAG_NAME = re.compile(r"[A-Za-z0-9_][\w+#=:-]*")
_TAG = (
    rf'\[\s*(?P<name>{TAG_NAME.pattern})\s*"(?P<value>[^"\\\n]*(?:\\.[^"\\\n]*){{0,999}})"\s*\]'
    # values with quotes within, or in typographic quotes, or without a closing bracket
    rf"|\[\s*(?P<loose_name>[A-Za-z_]\w*)(?:\s*[{_QUOTES}](?P<loose_value>.*?)"
    rf"(?:[{_CLOSING}]\s*\]|(?:(?<![ \t])|(?=[{_CLOSING}]))[{_CLOSING}]?[ \t]*(?=\n|\Z))"
    # values without quotes
    rf"|(?:[ \t]+(?P<bare_value>(?:[^ \t\]\n{_QUOTES}][^\]\n{_QUOTES}]*)?))?\])"
    r"|\[[^\n]*"  # not a tag, but a line of a header
)
# Tags begin a line, or follow a result or another tag.
_TAG_PLACE = r"(?:^|(?<=-[01])|(?<=/2)|(?<=\*)|(?<=\]))[ \t]*"
_NEXT_COMMENT = re.compile(rf"[ \t]*(?:\n[ \t]*)?(?:{_COMMENT})", re.MULTILINE)
_END = re.compile(r"\s*\Z")
_FIRST_NUMBER = re.compile(r"1\s?\.(?!\.)")
_EMPTY_LINE = re.compile(r"\n[ \t]{0,200}\n\s{0,200}\Z")
_NEAR = 200  # number of characters before a token in which to look for an empty line
TOKEN = re.compile(
    rf"(?m)(?P<comment>{_COMMENT})|(?P<bracket>[()])|(?P<tag>{_TAG_PLACE}(?:{_TAG}))"
    r"|(?P<nag>\$\d{1,3}(?!\d))|(?P<remark>\$\d+|<[^<>\n]+>)"
    rf"|(?P<result>{_RESULT})|(?P<number>\d{{1,6}}\s*[.\u2026]+|[.\u2026]+)"
    r"|(?P<word><>|[^\s(){};$<>]+(?:\([QRBNqrbn]\)[^\s(){};$<>]*)?)|(?P<stray>[}<>$])"
)


# ---- games and headers ---------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game.

    A game ends at a result, at tags after moves, or at the number 1 after an empty line.
    """
    game = _Extent(0)
    for token in TOKEN.finditer(text):
        is_result = token.lastgroup == "result" and not game.depth
        if is_result or game.ends_before(token):
            end = _end_of_result(text, token.end()) if is_result else token.start()
            if game.is_known:
                yield game.begin, text[game.begin : end]
            game = _Extent(end)
        if not is_result:
            game.take(token)
    if game.is_known:
        yield game.begin, text[game.begin :]


class _Extent:
    """A game whose end is not reached yet.

    tags: the tags of its header.  header_end: end of the last tag.  moves: does it have moves?
    depth: number of open brackets.
    """

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.depth = 0
        self.moves = False
        self.tags: dict[str, str] = {}
        self.header_end = begin

    @property
    def is_known(self) -> bool:
        """Does the game have tags or moves?"""
        return self.moves or bool(self.tags)

    def ends_before(self, token: re.Match[str]) -> bool:
        """Does a token begin another game?

        A tag before the moves begins another game if it follows an empty line and, in addition, is
        an Event or repeats an earlier tag's name.  Within one header, this hardly ever happens.
        """
        if token.lastgroup == "number" and self.moves and not self.depth:
            return _FIRST_NUMBER.match(token.group()) is not None and _follows_gap(token)
        name = tag_of(token)[0] if token.lastgroup == "tag" else ""
        if name and self.moves:
            return any(mark in token.group() for mark in _QUOTES) or _follows_gap(token)
        is_first = name in self.tags or name == "Event" and self.is_known
        return is_first and _follows_gap(token)

    def take(self, token: re.Match[str]) -> None:
        """Add a token."""
        kind, mark = token.lastgroup, token.group()
        if kind == "tag":
            name, value = tag_of(token)
            self.tags.update({name: value} if name else {})
            self.depth, self.header_end = 0, token.end()
        elif kind == "bracket":
            self.depth = max(self.depth + DEPTHS[mark], 0)
        elif kind == "word":
            self.moves = self.moves or is_move(mark)
        # a number or a comment may precede the first tag or move
        precedes = mark.isdigit() or kind in ("number", "comment") and not is_unclosed(token)
        if not (precedes or self.is_known):
            self.begin = token.end()


def _end_of_result(text: str, at: int) -> int:
    """Return the end of the comments after a result."""
    while match := _NEXT_COMMENT.match(text, at):
        at = match.end()
    return at


def _follows_gap(token: re.Match[str]) -> bool:
    """Is there an empty line before a token?"""
    at = token.start()
    return _EMPTY_LINE.search(token.string, max(at - _NEAR, 0), at) is not None


def is_unclosed(token: re.Match[str]) -> bool:
    """Is a token a comment without its closing brace?"""
    return token.group()[0] == "{" and token.group()[-1] != "}"


def is_move(word: str) -> bool:
    """May a word be a move?  Numbers and signs can't."""
    return word.lower() in NULL_MOVES or not word.isdigit() and any(map(str.isalnum, word))


def tag_of(token: re.Match[str]) -> tuple[str, str]:
    """Return (name, value) of a tag; the name is "" if the line isn't a tag."""
    if token["name"]:
        return token["name"], re.sub(r"\\(.)", r"\1", token["value"]).strip()
    value = (token["loose_value"] or token["bare_value"] or "").strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return token["loose_name"] or "", value[1:-1] if is_quoted else value


def header_of(text: str) -> tuple[dict[str, str], int]:
    """Return (the tags before the moves of a game, the index after the last tag)."""
    game = _Extent(0)
    for token in TOKEN.finditer(text):
        game.take(token)
        if game.moves or token.lastgroup == "result":
            break
    return game.tags, game.header_end


# ---- results -------------------------------------------------------------------------


def read_result(text: str) -> str | None:
    """Return a result in any spelling as one of RESULTS or DOUBLE_FORFEIT, else None."""
    word = re.sub(r"\s", "", text.replace("\u00bd", "1/2"))
    word = re.sub(f"[{DASHES}:]", "-", word)
    word = "1/2-1/2" if word == "1/2" else word
    return word if word in (*RESULTS, DOUBLE_FORFEIT) else None


def is_end(text: str, at: int) -> bool:
    """Do only comments follow the index `at`?"""
    return _END.match(text, _end_of_result(text, at)) is not None
