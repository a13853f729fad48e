"""Invalid plugins: each is refused completely, with a message, and leaves nothing behind."""

import os

import pytest
from conftest import ROOT, run_python

from games import registry

GAME = "from games.base import Game\n\n\nclass Mine(Game):\n    name = {name}\n    aliases = {aliases}\n\n\nGAMES = {games}\n"


def source(name="'mine'", aliases="()", games="[Mine()]"):
    return GAME.format(name=name, aliases=aliases, games=games).encode()


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "defines no GAMES list"),
        (b"GAMES = []", "defines no GAMES list"),
        (b"GAMES = 'chess'", "defines no GAMES list"),
        (b"GAMES = ['chess', 'othello']", "GAMES contains a str (chess)"),
        (source(games="[Mine]"), "expected an instance of Game"),
        (source(games="[Mine(), 5]"), "GAMES contains a int"),
        (source(games="[Mine(), Mine()]"), "'mine' is taken"),
        (source(name="5"), "lower-case strings without spaces"),
        (source(name="'My Game'"), "lower-case strings without spaces"),
        (source(name="''"), "lower-case strings without spaces"),
        (source(name="'chess'"), "'chess' is taken"),
        (source(aliases="'ab'"), "aliases (a tuple)"),
        (source(aliases="('reversi',)"), "'reversi' is taken"),
        (source() + b"Mine.options = ('Hash',)", "tuple of Option"),
        (b"raise SystemExit(3)", "SystemExit: 3"),
        (b"def f():\n    f()\nf()", "RecursionError"),
        (b"raise ValueError('one\\ntwo')", "ValueError: one two"),
        (b"\nimport json\njson.loads('')", "mine.py, line 3: JSONDecodeError: "),
        (b"this is no Python", "SyntaxError"),
        (bytes(range(256)), "Error"),
    ],
)
def test_an_invalid_game_is_refused_completely(tmp_path, data, words):
    path, names = tmp_path / "mine.py", registry.names()
    path.write_bytes(data)
    with pytest.raises(registry.PluginError) as refused:
        registry.load_plugin(str(path))
    assert str(refused.value).startswith(f"plugin {path}: ") and words in str(refused.value)
    assert "\n" not in str(refused.value) and registry.names() == names
    with pytest.raises(KeyError):
        registry.canonical("mine")


def test_a_plugin_that_is_not_a_python_file_is_refused_in_plain_words(tmp_path):
    (tmp_path / "folder.py").mkdir()
    for name in ("folder.py", "nothing.py", "null\0.py"):
        with pytest.raises(registry.PluginError) as refused:
            registry.load_plugin(str(tmp_path / name))
        assert "Errno" not in str(refused.value)
    (tmp_path / "mine").touch()
    for name in ("", "./mine", "a b", str(tmp_path / "mine")):
        with pytest.raises(registry.PluginError) as refused:
            registry.load_plugin(name)
        words = f"plugin {name}: expected a file that ends in .py, or a module's name"
        assert str(refused.value) == words


def test_a_plugin_imports_files_beside_it(tmp_path):
    (tmp_path / "pieces_of_mine.py").write_text("NAME = 'beside'\n")
    (tmp_path / "json.py").write_text("raise ValueError('not the standard library')\n")
    text = source(name="NAME").decode()
    (tmp_path / "own.py").write_text("import json\nfrom pieces_of_mine import NAME\n" + text)
    output, printed = talk(tmp_path, ["uci"], "--plugin", "own.py")
    assert output[-1] == "uciok" and printed == []
    assert any("beside" in line for line in output if "UCI_Variant" in line)


def test_the_engine_reports_an_invalid_plugin_in_one_line_and_exits(tmp_path):
    (tmp_path / "five.py").write_text("GAMES = 5\n")
    done = run_python(ROOT / "engine.py", "--plugin", "five.py", cwd=tmp_path, input="uci\n")
    assert done.returncode == 2 and not done.stdout and "Traceback" not in done.stderr
    assert "five.py: defines no GAMES list" in done.stderr.splitlines()[-1]


LOUD = """import os
import subprocess
import sys

print("bestmove 1-1 at import")
os.write(1, b"bestmove 1-1 by descriptor\\n")
subprocess.run([sys.executable, "-S", "-c", "print('bestmove 1-1 by a child')"])
from tests_nim import GAMES as _QUIET       # the rules of tests/plugins/nim.py

_POSITION = type(_QUIET[0].start({{}}))
_make = _POSITION.make


def make(self, move):
    print("bestmove 1-1 in make")
    _make(self, move)


_POSITION.make = make
_QUIET[0].name = {name}
GAMES = _QUIET
"""


@pytest.fixture
def loud(tmp_path):
    """Return a folder with loud.py, a game that prints at every opportunity."""
    (tmp_path / "tests_nim.py").write_text((ROOT / "tests" / "plugins" / "nim.py").read_text())
    (tmp_path / "loud.py").write_text(LOUD.format(name="'loud'"))
    return tmp_path


def talk(folder, lines, *arguments, plugins=None):
    """Send lines to the engine process and return (stdout, stderr), both as lines."""
    env = {**os.environ, **({"PLYGLOT_PLUGINS": os.pathsep.join(plugins)} if plugins else {})}
    done = run_python(
        ROOT / "engine.py",
        *arguments,
        cwd=folder,
        input="".join(line + "\n" for line in lines),
        env=env,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr.splitlines()


@pytest.mark.parametrize("threads", [1, 2])
def test_output_of_a_plugin_never_reaches_the_protocol(loud, threads):
    output, printed = talk(
        loud,
        [
            "uci",
            f"setoption name Threads value {min(threads, os.cpu_count())}",
            "isready",
            "position startpos moves 0-1",
            "go depth 3",
        ],
        *"--plugin loud.py --game loud".split(),
    )
    assert output[0].startswith("id name ")
    assert [line for line in output if line.startswith("bestmove")] == output[-1:]
    assert all(
        line.startswith(("id ", "option ", "info ", "uciok", "readyok", "bestmove "))
        for line in output
    )
    assert not any(line.startswith("bestmove 1-1 ") for line in output)
    ways = {
        f"bestmove 1-1 {way}" for way in ("at import", "by descriptor", "by a child", "in make")
    }
    assert ways <= set(printed)


def test_a_plugin_named_twice_is_loaded_once(loud):
    path = str(loud / "loud.py")
    for plugins, arguments in ((["loud.py"], ["--plugin", path]), (["loud.py", path], [])):
        output, printed = talk(loud, ["uci"], *arguments, "--game", "loud", plugins=plugins)
        assert output[-1] == "uciok" and printed.count("bestmove 1-1 at import") == 1


def test_a_failing_plugin_of_the_environment_variable_is_reported_in_one_line(loud):
    output, printed = talk(loud, ["uci"], "--game", "loud", plugins=["nothing.py", "loud.py"])
    assert output[-1] == "uciok"
    assert [line for line in printed if "nothing.py" in line] == [
        "engine.py: plugin nothing.py: No such file or directory"
    ]
    assert not any("Traceback" in line for line in printed)


@pytest.mark.parametrize(
    "data, words",
    [
        (
            b"class Odd(BaseException):\n    pass\n\n\nraise Odd('no Exception')",
            "Odd: no Exception",
        ),
        (b"class Odd(Exception):\n    def __str__(self):\n        return 5\n\n\nraise Odd", "Odd"),
        (b"raise ValueError('\\ud800')", "\\ud800"),
        (source(name="'mi\\ud800ne'"), "must be printable"),
        (source(name="'mi\\x00ne'"), "must be printable"),
        (source(games="[type('Odd', (), {'__str__': lambda self: 5})()]"), "GAMES contains a Odd"),
    ],
)
def test_an_unprintable_message_is_shown_in_one_line(tmp_path, data, words):
    (tmp_path / "odd.py").write_bytes(data)
    output, printed = talk(tmp_path, ["uci"], plugins=["odd.py"])
    assert output[-1] == "uciok" and len(printed) == 1
    assert printed[0].startswith("engine.py: plugin odd.py: ") and words in printed[0]
