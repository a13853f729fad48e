"""Start a game of your own: write a plug-in that can be played and passes the contract's tests.

It begins as four in a row on a small board; change the board, the moves and the end to make it
your game.

[options]

examples:
  scripts/new_game hexapawn                       writes hexapawn.py here
  scripts/new_game lines_of_action -o games/lines.py
"""

from __future__ import annotations

import inspect
import keyword
import pathlib
import re
import shlex
from typing import NoReturn

from games import registry
from plyglot.command import WINDOWS
from scripts.command_line import Parser, command_text, run_main, see
from scripts.jobs.files import FileError, Output
from scripts.starter import template

# Windows opens a device instead of a file with such a name, whatever its suffix.
_RESERVED = re.compile(
    r"con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]", re.IGNORECASE
)


class StartError(Exception):
    """Raised if a file can't be made; the message says why."""


def run_script() -> NoReturn:
    """Run scripts/new_game; exit with a message and status 2 on an error."""
    run_main("scripts/new_game", main, StartError, FileError)


def main() -> None:
    """Write the file of the game that the command line names."""
    parser = Parser("scripts/new_game", __doc__)
    parser.add("NAME", "name of the game: lower-case letters, digits and _")
    parser.add("-o --output FILE", "file to write (default: NAME.py in this directory)")
    parser.add_force_option()
    arguments = parser.parse_args()
    path = pathlib.Path(arguments.output or arguments.name + ".py")
    if path.suffix != ".py":
        raise StartError(f"{path} must end in .py")
    if _RESERVED.fullmatch(path.name.partition(".")[0].rstrip()):
        raise StartError(f"{path.name} is not a valid file name: Windows reserves it for a device")
    Output(path, force=arguments.force).write([source(arguments.name)])
    print(_next_steps(path, arguments.name))


def _next_steps(path: pathlib.Path, name: str) -> str:
    """Return a text about the next steps; it mentions tests and docs only in a checkout."""
    plugin = ["--plugin", str(path)]
    steps = [
        f"{path} is a game.  Play it:",
        "  " + command_text(["scripts/play", name, *plugin]),
        "let a front end play it:",
        "  " + command_text(["python3", "engine.py", *plugin, "--game", name]),
    ]
    if see("adding-a-game.md"):
        test = command_text(["scripts/test", "tests/test_contract.py", "-k", name])
        steps.append("test it:")
        if WINDOWS:
            steps += [f"  set PLYGLOT_PLUGINS={path}", f"  {test}"]
        else:
            steps.append(f"  PLYGLOT_PLUGINS={shlex.quote(str(path))} {test}")
    yours = "and make it yours: the comments in it say what to change."
    return "\n".join([*steps, yours + see("adding-a-game.md")])


def source(name: str) -> str:
    """Return the text of a new game's file; raise StartError if the name is invalid."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        rule = "use lower-case letters, digits and _, and begin with a letter"
        raise StartError(f'"{name}" is not a valid name: {rule}')
    kind = "".join(part.capitalize() for part in name.split("_"))
    taken = kind in vars(template) and "MyGame" not in kind
    if taken or keyword.iskeyword(kind):
        raise StartError(f'"{name}" is not a valid name: its class would be {kind}, which is taken')
    try:
        game = registry.canonical(name)
    except KeyError:
        return _template().replace("mygame", name).replace("MyGame", kind)
    what = "a built-in game" if game == name else f"another name of {game}"
    raise StartError(f'"{name}" is {what}: choose another name')


def _template() -> str:
    """Return the template, without its lines on tests and docs if these are not installed."""
    text = inspect.getsource(template)  # the template may be in an archive
    if see("adding-a-game.md"):
        return text
    lines = text.split("\n")
    return "\n".join(line for line in lines if "scripts/test" not in line and "docs/" not in line)
