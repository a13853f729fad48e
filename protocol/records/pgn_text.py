"""The text of PGN: its tokens, the games of a collection, headers, comments and their commands."""

from __future__ import annotations

import re

from protocol.records.builder import NULL_MOVES
from protocol.records.record import RESULTS, RecordError, shown
from protocol.records.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from protocol.records.record import Said

DOUBLE_FORFEIT = "0-0"
DASHES = r"\u2010-\u2015\u2212"  # typographic hyphens, dashes and minus, as in `1\u20130`
_COLON = rf"\s?[-{DASHES}:]\s?"
_RESULT = (
    rf"(?<![^\s(){{}}\].])(?:1{_COLON}0|0{_COLON}1"
    rf"|(?:1/2|\u00bd)(?:{_COLON}(?:1/2|\u00bd))?|\*)(?![^\s(){{}};\[])"
)
COMMENT = r"\{[^}]*\}?|;[^\n]*|^%[^\n]*"
_QUOTES, _CLOSING = '"\u201c\u201d\u201e\u00ab', '"\u201c\u201d\u00bb'
TAG_NAME = re.compile(r"[A-Za-z0-9_][\w+#=:-]*")
_TAG = re.compile(rf'\[\s*({TAG_NAME.pattern})\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
# Quotes within the value, typographic quotes, a bracket that is not closed; no quotes.
_LOOSE_TAG = re.compile(
    rf"\[\s*([A-Za-z_]\w*)\s*[{_QUOTES}](.*?)"
    rf"(?:[{_CLOSING}]\s*\]|(?:(?<![ \t])|(?=[{_CLOSING}]))[{_CLOSING}]?[ \t]*(?=\n|\Z))"
)
_BARE_TAG = re.compile(
    rf"\[\s*([A-Za-z_]\w*)(?:[ \t]+((?:[^ \t\]\n{_QUOTES}][^\]\n{_QUOTES}]*)?))?\]"
)
_UNREADABLE = re.compile(r"\[[^\n]*")
_LOOSE_TAGS = (_LOOSE_TAG, _BARE_TAG, _UNREADABLE)
_LINE_OF_HEADER = r"(?:^[ \t]*|(?<=-[01])|(?<=/2)|(?<=\*))(?=\[)"  # also right after a result
# A tag after an empty line, or before another tag, ends a comment that was left open.
_BOUNDARY = re.compile(
    rf"\n(?:[ \t]*\n(?=[ \t]*\[\s*\w[\w+#=:-]*\s*[{_QUOTES}])"
    r'|(?=\[\w+ "[^"\n]*"\][ \t]*\n\[\w+ "))'
)
_AFTER_RESULT = re.compile(r"(?:[ \t]*(?:\n[ \t]*)?(?:\{[^}]*\}|;[^\n]*))*")
_FIRST_NUMBER = re.compile(r"1\s?\.(?!\.)")
_EMPTY_LINE = re.compile(r"\n[ \t]{0,200}\n\s{0,200}\Z")
_NEAR = 200  # characters before a token, in which an empty line is looked for
TOKEN = re.compile(
    rf"(?P<comment>{COMMENT})|(?P<bracket>[()])|(?P<header>{_LINE_OF_HEADER})|(?P<nag>\$\d+)"
    rf"|<[^<>\n]*>|(?P<result>{_RESULT})|(?P<number>\d{{1,6}}\s*[.\u2026]+|[.\u2026]+)"
    r"|(?P<word>[^\s(){};$<>]+(?:\([QRBNqrbn]\)[^\s(){};$<>]*)?)",
    re.MULTILINE,
)
# Damaged commands may contain others; this many levels are read.
_MOST_NESTED = 4
_COMMAND = re.compile(r"\[%([A-Za-z_][A-Za-z0-9_]*)\s([^\[\]]*)\]")
_COMMAND_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_ROUND, _SQUARE = str.maketrans("{}", "()"), str.maketrans("[]", "()")


# ---- games and headers ---------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game.

    A game ends at a result, at tags after moves, or at the number 1 after an empty line.
    A comment that is still open at the tags of another game is cut there.
    """
    begin, names, moves, depth, at = 0, set[str](), False, 0, 0
    for end in [found.end() for found in _BOUNDARY.finditer(text)] + [len(text)]:
        while (token := TOKEN.search(text, at, end)) is not None:
            kind, start, at, cut = token.lastgroup, token.start(), token.end(), None
            tags: list[tuple[str, str]] = []
            if kind == "header":
                if not (moves or names):
                    begin, depth = _end_of_stray(text, begin, start), 0
                tags, at = tags_at(text, at, end)
                if _begins_game(text[start:at], tags, names, moves, _follows_gap(text, start)):
                    cut = start
            elif kind == "result" and not depth:
                cut = at = _end_of_result(text, at, end)
            elif kind == "number" and moves and not depth and _FIRST_NUMBER.match(text, start):
                cut = start if _follows_gap(text, start) else None
            elif kind == "bracket":
                depth = max(depth + (1 if token.group() == "(" else -1), 0)
            elif kind == "word":
                moves = moves or is_move(token.group())
            elif (
                kind == "comment" and at == end and token.group()[0] == "{" and not (moves or names)
            ):
                begin = at  # it was cut at the tags of a game, to which it doesn't belong
            if cut is not None:
                if moves or names:
                    yield begin, text[begin:cut]
                begin, names, moves, depth = cut, set[str](), False, 0
            names.update(name for name, _ in tags if name)
        at, depth = max(at, end), 0
    if moves or names:
        yield begin, text[begin:]


def _end_of_stray(text: str, begin: int, end: int) -> int:
    """Return the end of the last token before a game that is no comment, or `begin`."""
    found = [token.end() for token in TOKEN.finditer(text, begin, end) if token["comment"] is None]
    return found[-1] if found else begin


def _end_of_result(text: str, at: int, end: int) -> int:
    """Return the end of the comments after a result."""
    found = _AFTER_RESULT.match(text, at, end)
    return found.end() if found else at


def _begins_game(
    line: str, tags: list[tuple[str, str]], known: set[str], moves: bool, after_gap: bool
) -> bool:
    """Do the tags of a line begin another game?  known: the names of the tags before them.

    Headers have empty lines, and tags that stand twice, but hardly ever both.  The first tag
    is an Event.
    """
    names = {name for name, _ in tags if name}
    if moves:
        return bool(names) and (after_gap or any(mark in line for mark in _QUOTES))
    return after_gap and bool(known) and bool(names & {*known, "Event"})


def _follows_gap(text: str, at: int) -> bool:
    """Is there an empty line before a token?"""
    return _EMPTY_LINE.search(text, max(at - _NEAR, 0), at) is not None


def is_move(word: str) -> bool:
    """May a word be a move?  Numbers and signs are none."""
    is_number = word.isdigit() and word != "0000"
    return word.lower() in NULL_MOVES or not is_number and any(map(str.isalnum, word))


def tags_at(text: str, at: int, end: int) -> tuple[list[tuple[str, str]], int]:
    """Return ([(name, value)] of the tags at `at`, their end).

    The rest of the line is the value of "" if it is not a tag.
    """
    tags: list[tuple[str, str]] = []
    while text.startswith("[", at):
        found = _TAG.match(text, at, end)
        if found is not None:
            tags.append((found[1], re.sub(r"\\(.)", r"\1", found[2]).strip()))
        else:
            found = next(filter(None, (tag.match(text, at, end) for tag in _LOOSE_TAGS)))
            name, value = found.group(1, 2) if found.re is not _UNREADABLE else ("", found[0])
            tags.append((name, _unquoted((value or "").strip())))
        at = found.end()
        while text[at : at + 1] in (" ", "\t"):
            at += 1
    return tags, at


def _unquoted(value: str) -> str:
    """Return the value of a tag without quotes around all of it."""
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return value[1:-1] if is_quoted else value


def read_header(text: str) -> tuple[dict[str, str], list[str], list[RecordError], int]:
    """Return ({tag: value}, remarks between them, what can't be read, offset of the moves)."""
    tags: dict[str, str] = {}
    remarks: list[str] = []
    wrong: list[RecordError] = []
    pending: list[str] = []  # belong to the moves unless more tags follow
    stray: list[RecordError] = []  # so do these
    at = behind = 0
    while (token := TOKEN.search(text, at)) is not None:
        kind, at = token.lastgroup, token.end()
        if kind == "header":
            found, at = tags_at(text, at, len(text))
            unreadable = [value for name, value in found if not name]
            tags.update({name: value for name, value in found if name})
            wrong += stray
            wrong += [
                RecordError(f'"{shown(line)}" is not a tag', token.start()) for line in unreadable
            ]
            remarks += [*pending, *map(bare_line, unreadable)]
            behind, pending, stray = at, [], []
        elif kind == "comment":
            pending.append(bare_comment(token.group()))
        elif kind == "result" or kind == "word" and is_move(token.group()):
            break
        else:
            error = RecordError(f'unexpected "{shown(token.group())}" between tags', token.start())
            stray.append(error)
    return tags, remarks, wrong, behind


# ---- results and comments ------------------------------------------------------------


def read_result(text: str) -> str | None:
    """Return a result in any spelling as one of RESULTS or DOUBLE_FORFEIT, else None."""
    word = re.sub(r"\s", "", text.replace("\u00bd", "1/2"))
    word = re.sub(f"[{DASHES}:]", "-", word)
    word = "1/2-1/2" if word == "1/2" else word
    return word if word in (*RESULTS, DOUBLE_FORFEIT) else None


def is_end(text: str, at: int) -> bool:
    """Do only comments follow?"""
    return not text[_end_of_result(text, at, len(text)) :].strip()


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
    words += text.split()
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words
