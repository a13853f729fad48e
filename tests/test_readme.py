"""The README's commands do what the transcripts under them show; the documents name existing files."""
# Not in the fast part of scripts/test.

import os
import re
import subprocess
import sys

import pexpect
import pytest
from conftest import ROOT, load_game
from transcripts import check, transcripts

PAGES = sorted(
    [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").rglob("*.md")]
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = [(command, shown) for command, shown in transcripts(README) if "engine.py" in command]
load_game("nim")


@pytest.mark.parametrize("command, shown", SHOWN, ids=[command for command, _ in SHOWN])
def test_commands_of_the_readme_print_what_it_shows(command, shown):
    check(command, shown)


FIRST = re.search(r"```sh\n(.*?)```", README, re.DOTALL)[1].splitlines()


@pytest.mark.skipif(os.name != "posix", reason="the system has no pseudo-terminals")
@pytest.mark.parametrize(
    "line, shown",
    [(FIRST[1], r"http://127\.0\.0\.1:\d+/"), (FIRST[2], "begin"), (FIRST[3], "bestmove [a-h]")],
    ids=("board", "play", "engine"),
)
def test_the_first_commands_work(line, shown, tmp_path):
    environment = {**os.environ, "BROWSER": "true", "XDG_STATE_HOME": str(tmp_path)}
    line = line.replace("python3", f'"{sys.executable}"')
    with pexpect.spawn(
        "sh", ["-c", line], cwd=str(ROOT), encoding="utf-8", timeout=60, env=environment
    ) as child:
        child.expect(shown)
        child.sendintr()
        child.expect(pexpect.EOF)


def test_every_kind_of_transcript_is_present():
    games = [re.search(r"--game (\w+)|$", command).group(1) for command, _ in SHOWN]
    assert sorted(filter(None, games)) == ["nim", "tictactoe", "tree"] and games[0] is None


def test_transcripts_are_short():
    assert max(len(shown.splitlines()) for _, shown in transcripts(README)) <= 8


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_and_files_exist(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert target.startswith("https://") or (page.parent / target).exists(), target
    for name in re.findall(
        r"`((?:games|search|protocol|scripts|tests|docs|plyglot)/[\w./-]*)`", text
    ):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"(?<![\w/])scripts/\w+(?:/\w+)*(?:\.[a-z]+)?", text):
        assert (ROOT / name).exists(), f"no such command: {name}"
    for target in re.findall(r"\]\(#([^)]+)\)", text):
        assert target in map(anchor, re.findall(r"^#+ (.*)$", text, re.M)), target


# Names that the project needn't define: other programs' names, placeholders, examples of notation.
FOREIGN = {"STRENGTH", "Pa4", "Pe4", "Sf3", "xa4", "XXYY", "do_NAME"}


def test_names_in_backticks_exist():
    """Each name in a document or docstring occurs in the code, or belongs to another program."""
    words, texts = set(), []
    sources = [
        path
        for folder in ("games", "search", "protocol", "plyglot", "scripts", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in ("", ".py", ".js", ".mjs", ".html", ".css", ".cpp") and path.is_file()
    ]
    for path in [ROOT / "engine.py", ROOT / "pyproject.toml", ROOT / "setup.py", *sources]:
        code = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            texts += re.findall(r'"""(.*?)"""', code, re.DOTALL)
            code = re.sub(r"#.*", "", re.sub(r'"""(.*?)"""', "", code, flags=re.DOTALL))
        words.update(re.findall(r"\w+", f"{code} {path.relative_to(ROOT)}"))
    pages = [page for page in PAGES if "front-ends" not in page.name and page.parent.name != "lab"]
    texts += [
        re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for page in pages
    ]
    for name in re.findall(r"(?<!`)`([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`(?!`)", " ".join(texts)):
        assert name in FOREIGN or words.issuperset(name.split(".")), name


def anchor(heading):
    """Return the anchor that a code host makes from a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_map_of_the_readme_names_existing_folders():
    for name in ("engine.py", "protocol", "search", "games", "plyglot", "scripts", "tests", "docs"):
        assert re.search(rf"^{name}", README, re.M) and (ROOT / name).exists()


def test_each_tournament_in_the_documents_has_its_own_record():
    """So the commands of all pages can be run in one folder, one after the other."""
    commands = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M):
            text = block.replace("\\\n", " ")
            commands += re.findall(r"^ *(?:scripts/tournament (?!\.\.\.)|\$match ).*", text, re.M)
    records = [re.search(r"--record (\S+)|$", command)[1] for command in commands]
    assert len(commands) > 20 and len({*records}) == len(records), sorted(map(str, records))


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout of git")
def test_git_ignores_what_the_commands_of_the_documents_write():
    suffixes = "jsonl pgn pdn ggf sgf kif epd svg html whl".split()
    names = ["old/engine.py", "site/index.html", "package/a.js", "hill.py", "mygame.py"]
    for name in (*names, "mygame.weights", *(f"a.{suffix}" for suffix in suffixes)):
        done = subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT)
        assert done.returncode == 0, name
