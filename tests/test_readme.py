"""The README's commands do what the transcripts under them show."""
import re
import subprocess
import sys

import pytest

from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

# What differs from run to run.
VARIABLE = re.compile(r"\b(nps|time) \d+")
SIGN_OF_LIFE = re.compile("info (currmove|nodes) ")


def transcripts():
    """[(command, the lines shown under it)] of the README's console blocks that run the engine."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.S):
        command, _, shown = block.partition("\n")
        if "engine.py" in command:
            found.append((command[2:], shown.strip().splitlines()))
    return found


@pytest.mark.parametrize("command, shown", transcripts())
def test_commands_print_what_is_shown(command, shown):
    words = command.replace("python3", f'"{sys.executable}"')
    done = subprocess.run(words, shell=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = [line for line in done.stdout.decode().splitlines() if not SIGN_OF_LIFE.match(line)]
    assert done.returncode == 0 and done.stderr == b"" and shown
    assert [VARIABLE.sub(r"\1 N", line) for line in said] == [VARIABLE.sub(r"\1 N", line) for line in shown]


def test_links_and_scripts_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README) + re.findall(r"`(scripts/\w+)`", README):
        assert (ROOT / target).exists(), target


def test_the_map_names_what_is_there():
    for name in ("engine.py", "protocol", "search", "games", "scripts", "tests"):
        assert re.search(rf"^{name}", README, re.M) and (ROOT / name).exists()
