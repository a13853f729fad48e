"""The text of PGN: the games of a collection, tags, comments and the commands in them."""

from __future__ import annotations

import re

from protocol.records.record import RESULTS, joined
from protocol.records.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from protocol.records.record import Said

DASHES = r"\u2010-\u2015\u2212"  # typographic hyphens, dashes and minus, as in `1\u20130`
_COLON = rf"\s?[-{DASHES}:]\s?"
RESULT = (
    rf"(?<![^\s(){{}}\].])(?:1{_COLON}0|0{_COLON}1"
    rf"|(?:1/2|\u00bd)(?:{_COLON}(?:1/2|\u00bd))?|\*)(?![^\s(){{}};\[])"
)
COMMENT = r"\{[^}]*\}?|;[^\n]*|^%[^\n]*"
TAG_NAME = re.compile(r"[A-Za-z0-9_][\w+#=:-]*")
_TAG = re.compile(rf'\[\s*({TAG_NAME.pattern})\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
# Quotes within the value, typographic quotes, a bracket that is not closed; no quotes.
_LOOSE_TAG = re.compile(
    r'\[\s*([A-Za-z_]\w*)\s*["\u201c\u201d\u201e\u00ab](.*?)'
    r'(?:["\u201c\u201d\u00bb]\s*\]|["\u201c\u201d\u00bb]?[ \t]*(?=\n|\Z))'
)
_BARE_TAG = re.compile(r"\[\s*([A-Za-z_]\w*)(?:[ \t]+([^\]\n]*))?\]")
_BOUNDARY = re.compile(r"\n[ \t]*\n(?=[ \t]*\[\s*\w[\w+#=:-]*\s*[\"\u201c\u201e\u00ab])")
_TRAILING = r"(?:[ \t]*(?:\n[ \t]*)?(?:\{[^}]*\}|;[^\n]*))*"  # comments after a result
_SCAN = re.compile(
    rf"{COMMENT}|([()])|({RESULT}){_TRAILING}|^[ \t]*(\[\s*\w)"
    r"|((?<=\S)[ \t]*\n[ \t]*\n\s*(?=1\s?\.(?!\.)))",
    re.MULTILINE,
)
_PREAMBLE = re.compile(r"\s+|(\{[^}]*\}|;[^\n]*)|^%[^\n]*", re.MULTILINE)
# Damaged commands may contain others; this many levels are read.
_MOST_NESTED = 4
_COMMAND = re.compile(r"\[%([A-Za-z_][A-Za-z0-9_]*)\s+([^\[\]]*)\]")
_COMMAND_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_ROUND, _SQUARE = str.maketrans("{}", "()"), str.maketrans("[]", "()")


# ---- a collection --------------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game.

    A game ends at a result, at tags after moves, or at the number 1 after an empty line.
    A comment that is still open at the tags of another game is cut there.
    """
    splitter = _Splitter(text)
    last = 0
    for end in [found.end() for found in _BOUNDARY.finditer(text)] + [len(text)]:
        while last < end:
            last, cut = splitter.take(last, end)
            if cut is not None and (splitter.moves or splitter.names):
                yield splitter.begin, text[splitter.begin : cut]
                splitter.restart(cut)
        splitter.depth = 0
    if splitter.moves or splitter.names:
        yield splitter.begin, text[splitter.begin :]


class _Splitter:
    """The state of split(): where the game begins, its tag names, its moves, open brackets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.restart(0)

    def restart(self, begin: int) -> None:
        """Begin another game."""
        self.begin, self.names, self.moves, self.depth = begin, set[str](), False, 0

    def take(self, last: int, end: int) -> tuple[int, int | None]:
        """Read on; return (offset to go on from, offset of the game's end or None)."""
        text = self._text
        found = _SCAN.search(text, last, end)
        stop = found.start() if found else end
        if not self.moves and text[last:stop].strip():
            self.moves = True
        if found is None:
            return end, None
        bracket, result, tag, number = found.group(1, 2, 3, 4)
        if bracket:
            self.depth = max(self.depth + (1 if bracket == "(" else -1), 0)
        elif result is not None and self.depth == 0:
            self.moves = self.moves or bool(self.names)
            return found.end(), found.end()
        elif tag is not None:
            return self._take_tags(found.start(3), found.start(), end)
        elif number is not None and self.moves and self.depth == 0:
            return found.end(), found.end()
        return found.end(), None

    def _take_tags(self, at: int, line: int, end: int) -> tuple[int, int | None]:
        """Read the tags at `at`; if they belong to another game, end this one."""
        tags, after = _tags_at(self._text, at, end, quoted=self.moves)
        if not tags:
            self.moves = True
            return at + 1, None
        names = {name for name, _ in tags}
        if self.moves or names & self.names:
            return line, line
        self.names |= names
        return after, None


def _tags_at(
    text: str, at: int, end: int, quoted: bool = False
) -> tuple[list[tuple[str, str]], int]:
    """Return ([(name, value)] of the tags at `at`, their end).  quoted: only tags with quotes."""
    tags: list[tuple[str, str]] = []
    while text.startswith("[", at):
        found = _TAG.match(text, at, end) or _LOOSE_TAG.match(text, at, end)
        if found is None and not quoted:
            found = _BARE_TAG.match(text, at, end)
        if found is None:
            break
        value = found[2] or ""
        if found.re is _TAG:
            value = re.sub(r"\\(.)", r"\1", value)
        tags.append((found[1], value.strip()))
        at = found.end()
        while text[at : at + 1] in (" ", "\t"):
            at += 1
    return tags, at


# ---- parts of a game -----------------------------------------------------------------


def read_tags(text: str) -> tuple[dict[str, str], str, int]:
    """Return ({name: value}, the comments before them, offset of the moves)."""
    tags: dict[str, str] = {}
    comment, pending, at, behind = "", "", 0, 0
    while True:
        found = _PREAMBLE.match(text, at)
        if found is not None:
            at = found.end()
            if found[1]:
                pending = joined(pending, bare_comment(found[1]))
            continue
        more, at = _tags_at(text, at, len(text))
        if not more:  # the pending comments belong to the moves
            return tags, comment, behind
        tags.update(more)
        comment, pending, behind = joined(comment, pending), "", at


def read_result(text: str) -> str | None:
    """Return a result in any spelling as one of RESULTS, None if it isn't one."""
    word = re.sub(r"\s", "", text.replace("\u00bd", "1/2"))
    word = re.sub(f"[{DASHES}:]", "-", word)
    word = "1/2-1/2" if word == "1/2" else word
    return word if word in RESULTS else None


def bare_comment(comment: str) -> str:
    """Return the text of a comment token as one line, with braces inside it as parentheses."""
    words = comment[1:] if comment[0] == ";" else comment[1:].rstrip("}")
    return bare_line(words)


def extract(text: str) -> tuple[str, Said]:
    """Return (a comment of one line without its commands, its commands)."""
    commands: Said = {}
    for _ in range(_MOST_NESTED):
        found = _COMMAND.findall(text) if "[%" in text else []
        if not found:
            break
        for name, value in found:
            commands.setdefault(name, []).append(value.strip())
        text = one_line(_COMMAND.sub(" ", text))
    # the rest of a damaged command must not form a new one with other text
    return text.replace("[%", "[ %"), commands


def bare_line(text: str) -> str:
    """Return a text as one line without braces."""
    return one_line(text).translate(_ROUND)


def comment_words(text: str, *said: Said) -> list[str]:
    """Return the words of a comment and its commands in braces, which PGN can't nest."""
    if not text and not any(said):
        return []
    text, more = extract(bare_line(text))
    commands: Said = {}
    for part in (*said, more):
        for name, values in part.items():
            if _COMMAND_NAME.fullmatch(name):
                commands.setdefault(name, []).extend(values)
    words = [
        f"[%{name} {bare_line(value).translate(_SQUARE)}]"
        for name, values in commands.items()
        for value in values
    ]
    words = " ".join([*words, text]).split()
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words
