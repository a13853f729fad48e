"""Games from outside that are none: each is refused in words, whole, and nothing of it stays."""
import subprocess
import sys

import pytest
from conftest import ROOT

from games import registry

GAME = "from games.base import Game\n\n\nclass Mine(Game):\n    name = {name}\n    aliases = {aliases}\n\n\nGAMES = {games}\n"


def source(name="'mine'", aliases="()", games="[Mine()]"):
    return GAME.format(name=name, aliases=aliases, games=games).encode()


@pytest.mark.parametrize("data, words", [
    (b"", "has no list GAMES"),
    (b"GAMES = 5", "has no list GAMES"),
    (b"GAMES = []", "has no list GAMES"),
    (b"GAMES = 'chess'", "has no list GAMES"),
    (b"GAMES = ['chess', 'othello']", "in GAMES is a str (chess)"),
    (b"GAMES = [None]", "in GAMES is a NoneType"),
    (source(games="[Mine]"), "an instance of its class"),
    (source(games="[Mine(), 5]"), "in GAMES is a int"),
    (source(games="[Mine(), Mine()]"), "'mine' is taken"),
    (source(name="5"), "lower-case texts without blanks"),
    (source(name="'My Game'"), "lower-case texts without blanks"),
    (source(name="''"), "lower-case texts without blanks"),
    (source(name="'chess'"), "'chess' is taken"),
    (source(aliases="'ab'"), "aliases (a tuple)"),
    (source(aliases="('reversi',)"), "'reversi' is taken"),
    (source() + b"Mine.options = ('Hash',)", "tuple of Option"),
    (b"raise SystemExit(3)", "SystemExit: 3"),
    (b"def f():\n    f()\nf()", "RecursionError"),
    (b"raise ValueError('one\\ntwo')", "ValueError: one two"),
    (b"this is no Python", "SyntaxError"),
    (bytes(range(256)), "Error"),
])
def test_what_is_no_game_is_refused_whole(tmp_path, data, words):
    path, names = tmp_path / "mine.py", registry.names()
    path.write_bytes(data)
    with pytest.raises(registry.PluginError) as refused:
        registry.load_plugin(str(path))
    assert str(refused.value).startswith(f"plugin {path}: ") and words in str(refused.value)
    assert "\n" not in str(refused.value) and registry.names() == names
    with pytest.raises(KeyError):
        registry.canonical("mine")


def test_a_folder_and_a_file_that_is_not_there_are_told_without_numbers(tmp_path):
    (tmp_path / "folder.py").mkdir()
    for name in ("folder.py", "nothing.py"):
        with pytest.raises(registry.PluginError) as refused:
            registry.load_plugin(str(tmp_path / name))
        assert "Errno" not in str(refused.value)


def test_the_process_tells_it_in_a_line_and_does_not_begin(tmp_path):
    (tmp_path / "five.py").write_text("GAMES = 5\n")
    done = subprocess.run([sys.executable, str(ROOT / "engine.py"), "--plugin", "five.py"], cwd=tmp_path, input="uci\n",
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and not done.stdout and "Traceback" not in done.stderr
    assert "five.py: has no list GAMES" in done.stderr.splitlines()[-1]
