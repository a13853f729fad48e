"""Draw a game tree and the search that walks through it.

Squares are the maximiser's nodes, circles the minimiser's; the principal variation is bold, pruned
branches are struck through and grey; a value after >= or <= is a bound, which was enough to prune
the rest.

[options]

examples:
  scripts/tree                                            the lecture's tree, in the terminal
  scripts/tree "((3 5) (6 9)) min" -o tree.svg            a picture
  scripts/tree "(A:(2.5 -1) B:(0.5 3))" -o tree.tex       TikZ, for LaTeX
  scripts/tree "(((1 5 6) (8 3)) (L (1 W)))" --windows    with the window of each visited node
  scripts/tree --steps -o steps.svg                       an animated picture, one visit per second
  scripts/tree --steps -o steps                           a folder with a picture of each visit
  scripts/tree --game tictactoe --position "xo1/1x1/3 o" --depth 2 --boards -o board.svg
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
from argparse import Namespace
from typing import NoReturn

from games import registry
from games.base import GameError, Position
from protocol.records.record import RecordError
from protocol.records.san import read_any_move
from protocol.records.text import decode, read_stream
from scripts.command_line import Parser, positive, run_main
from scripts.drawing import animation
from scripts.drawing.convert import SUFFIXES, convert
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.plain import TextDrawing, to_ascii
from scripts.drawing.rows import SHOWS, deepening, strip
from scripts.drawing.tikz import tikz
from scripts.jobs.files import TEX, XML, FileError, Output, check_name

_MOST_PLACES = 4  # decimal places of leaves
# A number, perhaps after a label: the sign and the digits before the point, then those after it.
_LEAF = re.compile(r"(?<![^\s(:])(?=[+-]?\.?\d)([+-]?\d*)\.?(\d*)(?![^\s)])")
_STEP = re.compile(r"step-\d{3,}\.svg")


def _parser() -> Parser:
    parser = Parser("scripts/tree", __doc__, "scripts/tree [options] [TREE]")
    add = parser.add
    tree = (
        'a tree such as "((3 5) (6 9)) min"; - reads it from the standard input '
        "(default: the lecture's)"
    )
    add("TREE", tree, nargs="*")
    parser.add_game_option("a game of the registry instead of a tree", default="tree")
    add("--position TEXT", "a position of the game (default: its start)")
    add("--moves MOVE", "moves to play first from that position", [], nargs="+")
    add("--depth N", "plies to draw and to search (default: all)", type=positive)
    pvs = "pvs: principal variation search, with null windows"
    add("--algorithm", pvs, "alphabeta", choices=("alphabeta", "minimax", "pvs"))
    line = "draw the boards along a line of play instead; can be repeated (SVG)"
    add("--line MOVE", line, nargs="+", action="append")
    add("--below", "text below the boards of --line", SHOWS[0], choices=SHOWS)
    add(
        "--deepening",
        "draw the nodes of each depth of the engine's search up to --depth instead (SVG)",
    )
    add("--windows", "show the window of each visited node")
    add("--numbers", "number the nodes level by level, as traces do")
    add("--boards", "draw the board at each node (SVG)")
    add("--steps", "show the search visit by visit")
    add("--seconds S", "pause between animated visits", 1.0)
    output = (
        "write a picture: .svg, .tex (TikZ), .png or .pdf (which need an SVG converter), "
        "- for SVG on the standard output; with --steps a name without .svg is a folder "
        "(default: text in the terminal)"
    )
    add("-o --output FILE", output)
    parser.add_plugin_option()
    parser.add_force_option()
    return parser


def _parse(parser: Parser) -> Namespace:
    """Return the command line; exit with a message if it is invalid."""
    arguments = parser.read()
    if not 0.05 <= arguments.seconds <= 60:
        parser.error("--seconds must be 0.05 to 60")
    if arguments.tree and (arguments.position is not None or arguments.game != "tree"):
        parser.error("give either a TREE, or --game and --position")
    return arguments


def _read_position(arguments: Namespace) -> tuple[Position, int]:
    """Return (the position to draw, the decimal places of its values)."""
    game = registry.get(arguments.game)
    options = {option.name: option.default for option in registry.options()}
    text = " ".join(arguments.tree) if arguments.tree else arguments.position
    if text == "-":
        text = decode(read_stream(sys.stdin.buffer))
    places = 0
    if game.name == "tree" and text is not None:
        text, places = read_decimals(text)
    if text is None or text.strip() == "startpos":
        position = game.start(options)
    else:
        position = game.parse(text, options)
    for word in arguments.moves:
        position.make(read_any_move(position, word))
    return position, places


def _show(figure: Figure, arguments: Namespace) -> None:
    """Print the drawing as text."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    drawing = TextDrawing(
        figure, shutil.get_terminal_size().columns, colour, arguments.windows, arguments.numbers
    )
    snapshots = animation.snapshots(figure) if arguments.steps else [figure.snapshot()]
    text = "\n".join(f"{drawing.text(shot)}\n{shot.words()}\n" for shot in snapshots)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = to_ascii(text)
    sys.stdout.write(text)
    sys.stdout.flush()


def _draw(figure: Figure, arguments: Namespace) -> None:
    """Write the drawing to the requested file or folder."""
    picture = Picture(
        figure, arguments.windows, arguments.numbers, arguments.boards, caption=arguments.steps
    )
    path, force = arguments.output, arguments.force
    suffix = pathlib.Path(path).suffix.lower()
    if not arguments.steps and suffix == ".tex":
        if arguments.boards:
            raise FigureError(f"{path}: boards can be drawn as SVG, not as TikZ")
        Output(path, TEX, force).write([tikz(picture, figure.snapshot())])
    elif not arguments.steps:
        _write_svg(picture.svg(figure.snapshot()), path, force)
    elif path == "-" or suffix == ".svg":
        _write_svg(animation.animated(picture, arguments.seconds), path, force)
    else:
        _draw_steps(picture, path, suffix, force)


def _other_picture(position: Position, arguments: Namespace) -> str:
    """Return the SVG of lines of play, or of iterative deepening."""
    if arguments.line:
        return strip(position, arguments.line, arguments.below)
    if arguments.depth is None:
        raise FigureError("--deepening needs --depth")
    return deepening(position.game.name, position.text(), arguments.depth)


def _write_svg(svg: str, path: str, force: bool) -> None:
    """Write an SVG, or convert it to another kind of picture; `-` is the standard output."""
    suffix = pathlib.Path(path).suffix.lower()
    if path == "-":
        sys.stdout.buffer.write(svg.encode())
    elif suffix in SUFFIXES:
        convert(svg, path, force)
    elif suffix == ".svg":
        Output(path, XML, force).write([svg])
    else:
        raise FigureError(f"{path}: a picture's name must end with .svg, .tex (TikZ), .png or .pdf")


def _draw_steps(picture: Picture, path: str, suffix: str, force: bool) -> None:
    """Write a folder with a picture of each visit, and remove those of an earlier search."""
    if suffix in (".tex", *SUFFIXES):
        raise FigureError(f"{path}: --steps needs an animated .svg or a folder")
    folder = pathlib.Path(path)
    if not folder.exists():
        check_name(folder.name)
    folder.mkdir(parents=True, exist_ok=True)
    former = [
        Output(file, XML, force)  # raises FileError for a user's file, which has no seal
        for file in folder.iterdir()
        if _STEP.fullmatch(file.name)
    ]
    written = set()
    for number, svg in enumerate(map(picture.svg, animation.snapshots(picture.figure)), 1):
        file = folder / f"step-{number:03d}.svg"
        Output(file, XML, force).write([svg])
        written.add(file)
    for output in former:
        if output.path not in written:
            output.path.unlink()


# ---- leaves with decimals: the values of a search are integers, so leaves are scaled for it ----


def read_decimals(text: str) -> tuple[str, int]:
    """Return (the tree's text with integers, number of decimal places); raise FigureError.

    >>> read_decimals("(A:3.5 -0.25 W)")
    ('(A:350 -25 W)', 2)
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    places = max((len(leaf[2]) for leaf in _LEAF.finditer(text)), default=0)
    if places > _MOST_PLACES:
        raise FigureError(f"leaves have at most {_MOST_PLACES} decimal places, not {places}")

    def scaled(leaf: re.Match[str]) -> str:
        return str(int(leaf[1] + leaf[2].ljust(places, "0")))

    return _LEAF.sub(scaled, text) if places else text, places


# ---- the script ------------------------------------------------------------


def main() -> None:
    """Draw what the command line asks for."""
    arguments = _parse(_parser())
    position, places = _read_position(arguments)
    if arguments.line or arguments.deepening:
        svg = _other_picture(position, arguments)
        _write_svg(svg, arguments.output or "-", arguments.force)
        return
    prune, null_windows = arguments.algorithm != "minimax", arguments.algorithm == "pvs"
    figure = Figure(position, arguments.depth, prune, places=places, null_windows=null_windows)
    (_draw if arguments.output else _show)(figure, arguments)


def run_script() -> NoReturn:
    """Run scripts/tree; exit with a message and status 2 on an error."""
    wrong = GameError, FigureError, FileError, RecordError, registry.PluginError
    run_main("scripts/tree", main, *wrong)
