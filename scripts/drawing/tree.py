"""Draw a game tree and the search that walks through it.

Squares are the maximiser's nodes, circles the minimiser's.  The principal variation is bold; pruned
branches are struck through and grey.  A value after >= or <= is a bound that was enough to prune
the rest.

[options]

examples:
  scripts/tree                                            the lecture's tree, in the terminal
  scripts/tree "((3 5) (6 9)) min" -o tree.svg            a picture
  scripts/tree "(A:(2 -1) B:(0 3))" -o tree.tex           TikZ, for LaTeX
  scripts/tree "(((1 5 6) (8 3)) (L (1 W)))" --windows    with the window of each visited node
  scripts/tree --steps -o steps.svg                       an animated picture, one event per second
  scripts/tree --worksheet --random 7 -o sheet.html       a worksheet to print, and its answer key
  scripts/tree --game tictactoe --position "xo1/1x1/3 o" --depth 2 --boards -o board.svg
"""

from __future__ import annotations

import os
import pathlib
import sys
from argparse import Namespace
from typing import NoReturn

from games.base import GameError, Position
from protocol.records.record import RecordError
from protocol.records.text import decode, read_stream
from scripts.command_line import Parser, between, positive, run_main
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.notebook import position_after
from scripts.drawing.outline import outline
from scripts.drawing.picture import Picture, animated
from scripts.drawing.replay import Replay
from scripts.drawing.tikz import tikz
from scripts.drawing.traced import ALGORITHMS, searched
from scripts.drawing.worksheet import Worksheet, random_tree
from scripts.jobs.files import FileError, Output


def _parser() -> Parser:
    parser = Parser("scripts/tree", __doc__, "scripts/tree [options] [TREE]")
    add = parser.add
    tree = 'such as "((3 5) (6 9)) min"; - reads it from stdin (default: an example of lectures)'
    add("TREE", tree, nargs="*")
    parser.add_game_option("name of a game to draw instead of a tree", default="tree")
    add("--position TEXT", "a position of the game (default: its start)")
    add("--moves MOVE", "moves to play first from that position", [], nargs="+")
    add("--depth N", "plies to draw and to search (default: all)", type=positive)
    algorithms = (
        "pvs: principal variation search; deepening: the last iteration of iterative deepening; "
        "table and the names after it: negamax with the technique of that name"
    )
    alone = parser.alternatives()
    alone("--algorithm", algorithms, "alphabeta", choices=ALGORITHMS)
    add("--windows", "show the window of each visited node")
    add("--numbers", "number the nodes in pictures level by level, as in the terminal")
    add("--boards", "draw the board at each node (SVG)")
    add("--steps", "show the search event by event, each with its reason")
    add("--random SEED", "a random tree instead of TREE, the same for each seed", type=between(0))
    add("--children N", "children of each node of the random tree", 2, type=between(1, 9))
    add("--plies N", "plies of the random tree", 3, type=between(1, 9))
    alone("--worksheet", "write a tree with blanks, and its answer key (.html to print, or .tex)")
    output = "write an .svg or .tex (TikZ), - for SVG on stdout (default: text in the terminal)"
    add("-o --output FILE", output)
    parser.add_plugin_option()
    parser.add_force_option()
    return parser


def _read_position(arguments: Namespace) -> Position:
    """Return the position to draw."""
    if arguments.random is not None:
        text = random_tree(arguments.random, arguments.children, arguments.plies)
    else:
        text = " ".join(arguments.tree) if arguments.tree else arguments.position
    if text == "-":
        text = decode(read_stream(sys.stdin.buffer))
    start = None if text and text.strip() == "startpos" else text
    return position_after(arguments.game, start, arguments.moves)


def _show(figure: Figure, arguments: Namespace) -> None:
    """Print the drawing as text."""
    if arguments.worksheet:
        sheet = _worksheet(figure, arguments)
        print(outline(figure, sheet.blank, sheet.title) + outline(figure, sheet.key, "Key"), end="")
        return
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    replay = Replay(figure)
    for event in replay.events():
        if arguments.steps:
            print(outline(figure, replay.look, event.words, colour, arguments.windows))
    if not arguments.steps:
        text = outline(figure, replay.final_look, replay.words(), colour, arguments.windows)
        print(text, end="")
    sys.stdout.flush()


def _document(figure: Figure, arguments: Namespace) -> str:
    """Return the drawing in the format of the requested file."""
    path = arguments.output
    suffix = ".svg" if path == "-" else pathlib.Path(path).suffix.lower()
    kind, best = ("worksheet", ".html") if arguments.worksheet else ("picture", ".svg")
    if suffix not in (best, ".tex"):
        raise FigureError(f"{path}: a {kind}'s name must end with {best} or .tex (TikZ)")
    if arguments.worksheet:
        sheet = _worksheet(figure, arguments)
        return sheet.tikz() if suffix == ".tex" else sheet.html()
    for option in ("boards", "steps") if suffix == ".tex" else ():
        if getattr(arguments, option):
            raise FigureError(f"{path}: with --{option} the name must end with .svg")
    picture = Picture(
        figure, arguments.windows, arguments.numbers, arguments.boards, steps=arguments.steps
    )
    if arguments.steps:
        return animated(picture)
    return tikz(picture, picture.replay.final_look) if suffix == ".tex" else picture.svg()


def _worksheet(figure: Figure, arguments: Namespace) -> Worksheet:
    seed = arguments.random
    return Worksheet(figure, "Minimax and alpha-beta" if seed is None else f"Random tree {seed}")


def main() -> None:
    """Draw what the command line asks for."""
    parser = _parser()
    arguments = parser.read()
    tree = arguments.tree or arguments.random is not None
    if tree and (arguments.position is not None or arguments.game != "tree"):
        parser.error("give either a TREE, or --game and --position")
    if arguments.tree and arguments.random is not None:
        parser.error("give either a TREE or --random")
    position = _read_position(arguments)
    figure = searched(position, arguments.depth, arguments.algorithm)
    if arguments.output is None:
        _show(figure, arguments)
    elif arguments.output == "-":
        sys.stdout.buffer.write(_document(figure, arguments).encode())
    else:
        Output(arguments.output, arguments.force).write([_document(figure, arguments)])


def run_script() -> NoReturn:
    """Run scripts/tree; exit with a message and status 2 on an error."""
    run_main("scripts/tree", main, GameError, FigureError, FileError, RecordError)
