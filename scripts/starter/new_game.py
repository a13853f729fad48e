"""Start a game of your own: a file outside the engine that plays and passes the contract's tests.

It begins as four in a row on a small board; change the board, the moves and the end to make it
your game.

[options]

examples:
  scripts/new_game hexapawn                       writes hexapawn.py here
  scripts/new_game lines --class LinesOfAction -o games/lines.py
"""

from __future__ import annotations

import ast
import inspect
import keyword
import pathlib
import shlex
from typing import NoReturn

from games import registry
from plyglot.command import WINDOWS
from scripts.command_line import Parser, command_text, run_main, see
from scripts.jobs.files import FileError, Output
from scripts.starter import template


class StartError(Exception):
    """A file that can't be made; the message says why."""


def run_script() -> NoReturn:
    """Run scripts/new_game; exit with a message and status 2 on an error."""
    run_main("scripts/new_game", main, StartError, FileError)


def main() -> None:
    """Write the file of the game that the command line names."""
    parser = Parser("scripts/new_game", __doc__)
    parser.add("NAME", "name of the game: lower-case letters, digits and _")
    parser.add("--class NAME", "name of its class (default: derived from NAME)", dest="kind")
    parser.add("-o --output FILE", "file to write (default: NAME.py in this directory)")
    parser.add_force_option()
    arguments = parser.parse_args()
    kind = arguments.kind or "".join(part.capitalize() for part in arguments.name.split("_"))
    path = pathlib.Path(arguments.output or arguments.name + ".py")
    if path.suffix != ".py":
        raise StartError(f"{path} must end in .py")
    Output(path, force=arguments.force).write([source(arguments.name, kind)])
    print(_next_steps(path, arguments.name))


def _next_steps(path: pathlib.Path, name: str) -> str:
    """Return the next steps with the new file; only a checkout has tests and docs."""
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


def source(name: str, kind: str) -> str:
    """Return the text of a new game's file; raise StartError if a name is invalid."""
    if not (name.isascii() and name.isidentifier() and name == name.lower()):
        raise StartError(f"'{name}' can't name a game: use lower-case letters, digits and _")
    if not (kind.isascii() and kind.isidentifier() and kind[0].isupper()):
        raise StartError(
            f"'{kind}' can't name a class: use letters and digits, beginning with a capital"
        )
    if keyword.iskeyword(kind) or kind in _taken_names():
        raise StartError(
            f"'{kind}' can't name the class: the file uses it for something else "
            "(choose another with --class)"
        )
    try:
        taken = registry.canonical(name)
    except KeyError:
        return _of_this_place(text_of_template()).replace("mygame", name).replace("MyGame", kind)
    raise StartError(
        f"'{name}' is taken: it is {'the game' if taken == name else 'another name of'} {taken}"
    )


def _of_this_place(text: str) -> str:
    """Return the template, without its lines on tests and docs if these are not installed."""
    if see("adding-a-game.md"):
        return text
    lines = text.split("\n")
    return "\n".join(line for line in lines if "scripts/test" not in line and "docs/" not in line)


def _taken_names() -> set[str]:
    """Return the names that the template's code imports, defines or uses."""
    nodes = list(ast.walk(ast.parse(text_of_template())))
    names = {node.name for node in nodes if isinstance(node, ast.alias)} | {
        node.id for node in nodes if isinstance(node, ast.Name)
    }
    return {name for name in names if "MyGame" not in name}


def text_of_template() -> str:
    """Return the text of template.py, which may be in an archive."""
    return inspect.getsource(template)
