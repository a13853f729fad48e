"""scripts/tree: the command line, and the steps from a tree's text to its drawing."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from games import registry
from games.base import GameError
from protocol.records.record import RecordError
from protocol.records.san import read_any_move
from protocol.records.text import decode, read_stream
from scripts.command_line import Parser
from scripts.drawing import animation, decimals
from scripts.drawing.convert import SUFFIXES, convert
from scripts.drawing.deepening import deepening
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.plain import TextDrawing, to_ascii
from scripts.drawing.strip import SHOWS, strip
from scripts.drawing.tikz import tikz
from scripts.jobs.files import TEX, XML, FileError, Output, check_name

if TYPE_CHECKING:
    from games.base import Position

_STEP = re.compile(r"step-\d{3,}\.svg")
_DESCRIPTION = """Draw a game tree and the search that walks through it.

Squares are the maximiser's nodes, circles the minimiser's; the principal variation is bold, pruned
branches are struck through and grey; a value after >= or <= is a bound, which was enough to prune
the rest."""
_EPILOG = """examples:
  scripts/tree                                            the lecture's tree, in the terminal
  scripts/tree "((3 5) (6 9)) min" -o tree.svg            a picture
  scripts/tree "(A:(2.5 -1) B:(0.5 3))" -o tree.tex       TikZ, for LaTeX
  scripts/tree "(((1 5 6) (8 3)) (L (1 W)))" --windows    with the window of each visited node
  scripts/tree --steps -o steps.svg                       an animated picture, one visit per second
  scripts/tree --steps -o steps                           a folder with a picture of each visit
  scripts/tree --game tictactoe --position "xo1/1x1/3 o" --depth 2 --boards -o board.svg"""


def _parser() -> Parser:
    parser = Parser(
        "scripts/tree",
        usage="scripts/tree [options] [TREE]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    add = parser.add_argument
    add(
        "tree",
        nargs="*",
        metavar="TREE",
        help='a tree such as "((3 5) (6 9)) min"; - reads it from the standard input '
        "(default: the lecture's)",
    )
    parser.add_game_option("a game of the registry instead of a tree", default="tree")
    add("--position", metavar="TEXT", help="a position of the game (default: its start)")
    add(
        "--moves",
        metavar="MOVE",
        nargs="+",
        default=[],
        help="moves to play first from that position",
    )
    add("--depth", metavar="N", type=int, help="plies to draw and to search (default: all)")
    add(
        "--algorithm",
        choices=("alphabeta", "minimax", "pvs"),
        default="alphabeta",
        help="pvs: principal variation search, with null windows (default: alphabeta)",
    )
    add(
        "--line",
        metavar="MOVE",
        nargs="+",
        action="append",
        help="draw the boards along a line of play instead; can be repeated (SVG)",
    )
    add(
        "--below",
        choices=SHOWS,
        default=SHOWS[0],
        help=f"text below the boards of --line (default: {SHOWS[0]})",
    )
    add(
        "--deepening",
        action="store_true",
        help="draw the nodes of each depth of the engine's search up to --depth instead (SVG)",
    )
    add(
        "--windows",
        action="store_true",
        help="show the window of each visited node",
    )
    add("--numbers", action="store_true", help="number the nodes level by level, as traces do")
    add("--boards", action="store_true", help="draw the board at each node (SVG)")
    add("--steps", action="store_true", help="show the search visit by visit")
    add(
        "--seconds",
        metavar="S",
        type=float,
        default=1.0,
        help="pause between animated visits (default: 1)",
    )
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write a picture: .svg, .tex (TikZ), .png or .pdf (which need an SVG converter), "
        "- for SVG on the standard output; with --steps a name without .svg is a folder "
        "(default: text in the terminal)",
    )
    parser.add_plugin_option()
    parser.add_force_option()
    return parser


def _parse(parser: Parser) -> Namespace:
    """Return the command line; exit with a message if it is invalid."""
    arguments = parser.read()
    if arguments.depth is not None and arguments.depth < 1:
        parser.error("--depth must be at least 1")
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
        text, places = decimals.read(text)
    position = (
        game.start(options)
        if text is None or text.strip() == "startpos"
        else game.parse(text, options)
    )
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
    text = "\n".join(
        drawing.text(snapshot) + "\n" + snapshot.words() + "\n" for snapshot in snapshots
    )
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
    path = arguments.output
    suffix = pathlib.Path(path).suffix.lower()
    if path == "-" or suffix == ".svg":
        svg = (
            animation.animated(picture, arguments.seconds)
            if arguments.steps
            else picture.svg(figure.snapshot())
        )
        _write_svg(svg, path, arguments.force)
    elif arguments.steps:
        _draw_steps(picture, path, suffix, arguments.force)
    elif suffix == ".tex":
        if arguments.boards:
            raise FigureError(f"{path}: boards can be drawn as SVG, not as TikZ")
        Output(path, TEX, arguments.force).write([tikz(picture, figure.snapshot())])
    elif suffix in SUFFIXES:
        convert(picture.svg(figure.snapshot()), path, arguments.force)
    else:
        raise FigureError(f"{path}: a picture's name must end with .svg, .tex (TikZ), .png or .pdf")


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
    for number, svg in enumerate(animation.pictures(picture), 1):
        file = folder / f"step-{number:03d}.svg"
        Output(file, XML, force).write([svg])
        written.add(file)
    for output in former:
        if output.path not in written:
            output.path.unlink()


def run_script() -> None:
    """Run scripts/tree; exit with a message and status 2 on an error."""
    parser = _parser()
    arguments = _parse(parser)
    try:
        position, places = _read_position(arguments)
        if arguments.line or arguments.deepening:
            _write_svg(
                _other_picture(position, arguments), arguments.output or "-", arguments.force
            )
            return
        figure = Figure(
            position,
            arguments.depth,
            arguments.algorithm != "minimax",
            places=places,
            null_windows=arguments.algorithm == "pvs",
        )
        (_draw if arguments.output else _show)(figure, arguments)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader (head, less) has closed the output
        os._exit(0)
    except (GameError, FigureError, FileError, RecordError, registry.PluginError, OSError) as error:
        parser.error(error)
