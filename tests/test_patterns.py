"""Every regular expression must run in linear time, since a match can't be interrupted.

The texts to match come from engines and files, so they can be long and hostile.  Each pattern of the
source is tried on long texts.  Such a text first leads to a repeated part of the pattern, then
matches that part again and again.
"""

import ast
import importlib
import re
import warnings

import pytest
from conftest import ROOT
from growth import grows, seconds

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_parse

FOLDERS = ("plyglot", "protocol", "search", "games", "scripts")
LEFT_OUT = ("scripts/lab/", "scripts/packaging/")
METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub")
SUFFIXES = ("", "\0")
# Times below this many CPU seconds are too short to compare.
SHORT = 0.004
MAX_REPEATS = 40  # maximum number of repeated parts tried per pattern
MEMBERS = {
    "CATEGORY_SPACE": " \t\n",
    "CATEGORY_DIGIT": "1",
    "CATEGORY_WORD": "a1",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_NOT_WORD": " ",
}


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(LEFT_OUT):
                yield name, path.read_text(encoding="utf-8")


def written_patterns(name, text):
    """Yield (place, pattern, method) of the patterns written into calls such as re.search()."""
    for node in ast.walk(ast.parse(text)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner, method = node.func.value, node.func.attr
        constant = node.args and isinstance(node.args[0], ast.Constant)
        if isinstance(owner, ast.Name) and owner.id == "re" and method in METHODS and constant:
            yield f"{name}:{node.lineno}", re.compile(node.args[0].value), method


def all_patterns():
    """Return {name: (pattern, methods)} of the patterns of the source."""
    texts, found = dict(sources()), {}
    for name, text in texts.items():
        if "import re\n" not in text:
            continue
        for place, pattern, method in written_patterns(name, text):
            found[place] = pattern, {method}
        if "re.compile(" in text:
            module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
            for attribute, pattern in vars(module).items():
                if isinstance(pattern, re.Pattern):
                    used = rf"\b{attribute}\.({'|'.join(METHODS)})\b"
                    users = [text] if attribute.startswith("_") else texts.values()
                    methods = {method for user in users for method in re.findall(used, user)}
                    found[f"{name}:{attribute}"] = pattern, methods
    return found


PATTERNS = all_patterns()


def members(items):
    """Return some characters of a class [...]."""
    negated, found = False, ""
    for kind, value in items:
        kind = str(kind)
        if kind == "NEGATE":
            negated = True
        elif kind == "LITERAL":
            found += chr(value)
        elif kind == "RANGE":
            found += chr(value[0])
        elif kind == "CATEGORY":
            found += MEMBERS[str(value)]
    if negated:
        return [char for char in "a1 \t\n(" if char not in found][:3]
    return list(dict.fromkeys(found))[:4]


def samples(parsed):
    """Return short texts that match a part of a pattern."""
    texts = [""]
    for kind, value in parsed:
        kind, choices = str(kind), [""]
        if kind == "LITERAL":
            choices = [chr(value)]
        elif kind == "NOT_LITERAL":
            choices = [char for char in "a \t" if char != chr(value)]
        elif kind == "ANY":
            choices = ["a", " "]
        elif kind == "IN":
            choices = members(value)
        elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
            choices = [text * max(value[0], 1) for text in samples(value[2])]
        elif kind == "SUBPATTERN":
            choices = samples(value[3])
        elif kind == "BRANCH":
            choices = [text for part in value[1] for text in samples(part)[:2]]
        texts = [text + choice for text in texts[:2] for choice in choices]
    return texts


def attacks(parsed, before=""):
    """Yield (text that leads to it, one repeat) for each part that is repeated without limit."""
    for kind, value in parsed:
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from attacks(value[2], before)
            if value[1] > 1000:
                yield from ((before, unit) for unit in samples(value[2]) if unit)
        elif name == "SUBPATTERN":
            yield from attacks(value[3], before)
        elif name == "BRANCH":
            for part in value[1]:
                yield from attacks(part, before)
        elif name == "ASSERT":
            yield from attacks(value[1], before)
        before += samples([(kind, value)])[0]


def run(pattern, method, text):
    if method == "finditer":
        for _ in pattern.finditer(text):
            pass
    elif method == "sub":
        pattern.sub("", text)
    else:
        getattr(pattern, method)(text)


def is_linear(pattern, method, text_of):
    """Is the time linear at most, both from 1,000 to 4,000 and from 5,000 to 20,000 characters?"""

    def cost(count):
        return seconds(run, pattern, method, text_of(count))

    return not any(grows(cost, few, SHORT) for few in (1_000, 5_000))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_takes_linear_time(name):
    pattern, methods = PATTERNS[name]
    kind = bytes if isinstance(pattern.pattern, bytes) else str
    source = pattern.pattern.decode("latin-1") if kind is bytes else pattern.pattern
    parsed = sre_parse.parse(source, pattern.flags & ~re.UNICODE)
    for before, unit in sorted({(before[-40:], unit): 0 for before, unit in attacks(parsed)})[
        :MAX_REPEATS
    ]:
        for suffix in SUFFIXES:

            def text_of(count, before=before, unit=unit, suffix=suffix):
                text = before + unit * (count // len(unit)) + suffix
                return text.encode("latin-1", "replace") if kind is bytes else text

            for method in methods or {"match"}:
                assert is_linear(pattern, method, text_of), (name, method, before, unit, suffix)


def test_the_patterns_of_the_source_are_found():
    assert len(PATTERNS) > 60 and any(name.startswith("plyglot/") for name in PATTERNS)
    square = re.compile(r"a\s+b")
    assert is_linear(square, "search", lambda count: "a" * count)
    assert is_linear(square, "search", lambda count: "a" + " " * count)
    assert not is_linear(re.compile(r"\s+$"), "search", lambda count: " " * count + "x")
