"""Imports point one way: engine -> protocol -> search -> games; a game imports only shared modules."""

import ast

import pytest
from conftest import ROOT, run_python

from protocol.table import TABLE

ORDER = ["games", "search", "protocol", "engine"]
# Modules of games/ that any game may import.
SHARED_GAMES = set(
    "attacks base geometry data entry grid kernel keys lanes learned looks notices openings options ordering pruning quiescence registry solver texts types".split()
)
# The interface between a search and a game: only type checkers import it.
TYPES = ROOT / "games" / "types.py"
PROTOCOL_NAMES = {row.place.replace(":", ".").split(".")[1] for row in TABLE}
# {package of scripts/: the other packages that it may import}
ROOMS = {
    "jobs": set(),
    "drawing": {"jobs"},
    "starter": {"jobs"},
    "pages": {"drawing"},
    "arena": {"jobs", "drawing", "pages"},
    "terminal": {"jobs", "arena"},
    "report": {"jobs", "drawing", "pages", "arena"},
    "learning": {"jobs", "drawing", "arena"},
    "browser": {"jobs", "drawing", "pages", "arena", "report"},
    "lab": {"jobs", "pages", "arena", "report", "learning"},
}


def imports(path):
    """Return (module, line) of every absolute import in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full"
            yield node.module, node.lineno


def at_run_time(path):
    """Return the syntax nodes of a file, without those under `if TYPE_CHECKING:`."""
    waiting = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in waiting:
        if not (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        ):
            yield node
            waiting += ast.iter_child_nodes(node)


def sources():
    for layer in ORDER:
        for path in (
            sorted((ROOT / layer).rglob("*.py")) if layer != "engine" else [ROOT / "engine.py"]
        ):
            yield layer, path


def test_no_layer_imports_a_higher_one():
    for layer, path in sources():
        for module, line in imports(path):
            head = module.split(".")[0]
            assert head not in ("scripts", "tests", "plyglot"), f"{path}:{line} imports {module}"
            assert head not in ORDER or ORDER.index(head) <= ORDER.index(layer) or path == TYPES, (
                f"{path}:{line} imports {module}"
            )


def test_the_library_imports_only_itself():
    for path in sorted((ROOT / "plyglot").glob("*.py")):
        for module, line in imports(path):
            head = module.split(".")[0]
            # These modules may use the whole project.
            whole = path.name in ("__init__.py", "__main__.py", "in_place.py")
            assert whole or head not in (*ORDER, "scripts", "tests"), (
                f"{path}:{line} imports {module}"
            )


def test_games_and_protocols_do_not_import_one_another():
    for layer, path in sources():
        parts = path.relative_to(ROOT).with_suffix("").parts
        for module, line in imports(path):
            words = module.split(".")
            if layer == words[0] == "games" and len(words) > 1:
                assert words[1] in SHARED_GAMES | {parts[1]}, f"{path}:{line} imports {module}"
            if layer == words[0] == "protocol" and len(words) > 1:
                assert words[1] == parts[1] or words[1] not in PROTOCOL_NAMES, (
                    f"{path}:{line} imports {module}"
                )


def test_each_scripts_package_imports_only_those_below_it():
    assert ROOMS.keys() == {path.parent.name for path in (ROOT / "scripts").glob("*/__init__.py")}
    for room, below in ROOMS.items():
        for path in sorted((ROOT / "scripts" / room).rglob("*.py")):
            for module, line in imports(path):
                words = module.split(".")
                if words[0] == "scripts" and len(words) > 1 and words[1] in ROOMS:
                    assert words[1] in below | {room}, f"{path}:{line} imports {module}"
                assert words[0] != "tests", f"{path}:{line} imports {module}"


def test_no_file_of_a_game_is_in_an_import_cycle():
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).replace(".__init__", ""): path
        for path in sorted((ROOT / "games").rglob("*.py"))
    }
    below = {name: set() for name in files}
    for name, path in files.items():
        for node in at_run_time(path):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    file = f"{node.module}.{alias.name}"
                    below[name].add(file if file in files else node.module)
    seen = set()

    def walk(name, way):
        assert name not in way, " imports ".join(way + (name,))
        if name not in seen:
            for other in sorted(below[name] & below.keys()):
                walk(other, way + (name,))
            seen.add(name)

    for name in below:
        walk(name, ())


def test_only_the_engine_uses_the_standard_streams():
    # This module takes over stdout for the engine and its helpers.
    claims = ROOT / "search" / "interpreter.py"
    for layer, path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "sys"
            ):
                own = layer == "engine" or path == claims
                assert own or node.attr not in ("stdin", "stdout", "argv"), f"{path}:{node.lineno}"
            if (
                layer in ("games", "search")
                and isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
            ):
                assert node.func.id not in ("print", "input"), f"{path}:{node.lineno} prints"


GTP = "list_commands|boardsize 8|play b d3|gogui-rules_board|gogui-rules_legal_moves|undo"
# (protocol, lines to send, game, modules that must not be imported)
UNNEEDED = [
    ("uci", "uci", "chess", "games.othello games.connect4 games.gomoku games.chess.position"),
    ("gtp", GTP, "othello", "search.root search.pvs search.plain"),
    ("uci", "setoption name Threads value 1|go depth 3", "chess", "search.threads subprocess json"),
]


@pytest.mark.parametrize("protocol, lines, game, modules", UNNEEDED)
def test_modules_are_imported_only_when_they_are_needed(protocol, lines, game, modules):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from search.session import Session; from protocol.table import find\n"
        "session = Session(sys.argv[3])\n"
        "protocol = find(sys.argv[2]).load()(session, lambda *lines: None)\n"
        "for line in sys.argv[4].split('|'): protocol.handle(line)\n"
        "session.wait(); print(*sys.modules)"
    )
    loaded = run_python("-c", code, ROOT, protocol, game, lines, check=True).stdout.split()
    assert "search.session" in loaded and not set(modules.split()) & set(loaded)


def test_names_for_type_checkers_are_not_imported_at_run_time():
    unwanted = ("games.types", "typing", "typing_extensions")
    for _, path in sources():
        for node in at_run_time(path) if path != TYPES else ():
            if isinstance(node, ast.ImportFrom):
                assert node.module not in unwanted, f"{path}:{node.lineno}"
