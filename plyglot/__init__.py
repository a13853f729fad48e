"""Plyglot as pip installs it: one package, with the engine's own tree inside it.

`plyglot`, `python -m plyglot` and the archive that scripts/package makes all begin in
__main__.py.  The modules are imported by the names they have in the project (`games`,
`search`, ...), from this folder alone: nothing but `plyglot` is put where other
programs look for theirs.

For programs that use engines it is a library, described in docs/from-python.md:

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

# What is imported when it is first used: the command has no need of it.
_HOMES = {
    "ActiveSearch": "client",
    "AsyncEngine": "aio",
    "AsyncSearch": "aio",
    "Crash": "errors",
    "Engine": "client",
    "EngineError": "errors",
    "Info": "infos",
    "Missing": "errors",
    "Option": "options",
    "Process": "process",
    "Refusal": "errors",
    "Result": "infos",
    "Stall": "errors",
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
