"""The package that pip installs: a library for programs that use engines, and the engine itself.

`plyglot`, `python -m plyglot` and the archive that scripts/package makes all start in
__main__.py.  pip copies the project's folders (`games`, `search`, ...) into this folder, so that it
installs a single top-level package.

docs/from-python.md describes the library:

    import plyglot

    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        print(engine.go(depth=8))
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plyglot.aio import AsyncEngine as AsyncEngine
    from plyglot.aio import AsyncSearch as AsyncSearch
    from plyglot.client import ActiveSearch as ActiveSearch
    from plyglot.client import Engine as Engine
    from plyglot.errors import Crash as Crash
    from plyglot.errors import EngineError as EngineError
    from plyglot.errors import Missing as Missing
    from plyglot.errors import Refusal as Refusal
    from plyglot.errors import Stall as Stall
    from plyglot.process import Process as Process
    from plyglot.uci import Info as Info
    from plyglot.uci import Option as Option
    from plyglot.uci import Result as Result
    from scripts.drawing.notebook import Board as Board
    from scripts.drawing.notebook import Tree as Tree

# Public name -> its module.  The modules are imported on first use, since the command `plyglot`
# needs none of them.
_HOMES = {
    **dict.fromkeys(("AsyncEngine", "AsyncSearch"), "plyglot.aio"),
    **dict.fromkeys(("ActiveSearch", "Engine"), "plyglot.client"),
    **dict.fromkeys(("Crash", "EngineError", "Missing", "Refusal", "Stall"), "plyglot.errors"),
    **dict.fromkeys(("Info", "Option", "Result"), "plyglot.uci"),
    **dict.fromkeys(("Board", "Tree"), "scripts.drawing.notebook"),
    "Process": "plyglot.process",
}
__all__ = list(_HOMES)

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        from plyglot.__main__ import make_importable

        if not _HOMES[name].startswith("plyglot."):
            make_importable()
        return getattr(import_module(_HOMES[name]), name)

    def __dir__():
        return sorted([*globals(), *_HOMES])
