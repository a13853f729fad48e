"""Plyglot as pip installs it: one package that contains the engine's own tree.

`plyglot`, `python -m plyglot` and the archive that scripts/package makes all start in
__main__.py.  The modules keep their names in the project (`games`, `search`, ...) but are
only found in this folder, so that the installation adds no top-level package but `plyglot`.

It is also a library for programs that use engines, described in docs/from-python.md:

    import plyglot

    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        print(engine.go(depth=8))
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plyglot.aio import AsyncEngine, AsyncSearch
    from plyglot.client import ActiveSearch, Engine
    from plyglot.errors import Crash, EngineError, Missing, Refusal, Stall
    from plyglot.infos import Info, Result
    from plyglot.options import Option
    from plyglot.process import Process

# Imported on first use, since the command doesn't need them.
_HOMES = {
    **dict.fromkeys(("AsyncEngine", "AsyncSearch"), "aio"),
    **dict.fromkeys(("ActiveSearch", "Engine"), "client"),
    **dict.fromkeys(("Crash", "EngineError", "Missing", "Refusal", "Stall"), "errors"),
    **dict.fromkeys(("Info", "Result"), "infos"),
    "Option": "options",
    "Process": "process",
}
__all__ = [
    "ActiveSearch",
    "AsyncEngine",
    "AsyncSearch",
    "Crash",
    "Engine",
    "EngineError",
    "Info",
    "Missing",
    "Option",
    "Process",
    "Refusal",
    "Result",
    "Stall",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

    def __dir__():
        return sorted([*globals(), *_HOMES])
