"""The page as one HTML file, with games and all their positions in it.

The file needs no server: it holds the page's scripts and styles, and the answers of the commands
`games` and `embedded` as JSON.  Each module of the page becomes a function that is called once and
returns the module's exports, so modules must not reassign what they export.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Sequence
from typing import Any

from games import registry
from protocol.records.builder import legal, read_recorded
from scripts.drawing.svg import escape
from scripts.pages import fields
from scripts.pages.records import game_title
from scripts.pages.view import GameLine, catalogue, view

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|function|class) (\w+))", re.MULTILINE)

Game = dict[str, Any]  # as the page holds it: see records.py


def page_file(name: str) -> bytes:
    """Return the bytes of a file of the page, even if the page is in an archive."""
    scripts = os.path.dirname(os.path.dirname(__file__))
    path = os.path.join(scripts, "browser", "page", name)
    data: bytes = __loader__.get_data(path)  # type: ignore[name-defined]  # the import system defines it
    return data


def page(games: Sequence[Game]) -> str:
    """Return the HTML page that shows games."""
    shown = [with_views(game) for game in games]
    title = shown[0]["title"] if len(shown) == 1 else f"{len(shown)} games"
    data = {
        "games": catalogue(map(registry.get, {each["game"]: each for each in shown})),
        "embedded": {"games": shown, "title": title},
    }
    script, icon = bundle("main"), base64.b64encode(page_file("icon.svg")).decode()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'"
    )
    head = f"<style>\n{styles()}</style>\n"
    text = with_data(policy, head, data, f"<script>{script}</script>")
    text = re.sub(r"(<title>).*?(?=</title>)", lambda tag: tag[1] + escape(title), text, count=1)
    return text.replace('"icon.svg"', f'"data:image/svg+xml;base64,{icon}"', 2)


def styles() -> str:
    """Return all styles of the page."""
    return "\n".join(page_file(f"{name}.css").decode() for name in ("style", "board", "tree"))


def with_data(policy: str, head: str, data: dict[str, Any], script: str) -> str:
    """Return index.html with data that scripts find in its element "data".

    policy: the Content-Security-Policy.  head: HTML of the styles, for the end of its <head>.
    script: HTML of the <script> element.
    """
    known = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    text = re.sub(r'<link rel="stylesheet"[^>]*>\n', "", page_file("index.html").decode())
    text = text.replace('<script type="module" src="main.js"></script>\n', "")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    text = text.replace("<head>\n", f"<head>\n{meta}").replace("</head>", f"{head}</head>")
    element = f'<script type="application/json" id="data">{known}</script>\n'
    return text.replace("</body>", f"{element}{script}\n</body>")


def with_views(game: Game) -> Game:
    """Return a game with a title, and with each position as the page draws it."""
    line = GameLine(fields.record({**game, "line": []}).start)
    players = game.get("players") or ("", "")
    return {
        **game,
        "title": game_title(players, line.start.game, game.get("result", "*")),
        "view": _seen(line),
        "line": _steps(line, game.get("line") or ()),
    }


def _steps(line: GameLine, steps: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the steps after `line`, each with the view after its move; `line` stays unchanged."""
    plain_steps = []
    for step in steps:
        variations = [_steps(line, other) for other in step.get("variations") or ()]
        line.play(read_recorded(line.position, step["move"], legal))
        plain = {**step, "view": _seen(line)}
        plain["view"].pop("board", None)  # it never changes; the game's first view has it
        if variations:
            plain["variations"] = variations
        plain_steps.append(plain)
    for _ in steps:
        line.undo()
    return plain_steps


def _seen(line: GameLine) -> dict[str, Any]:
    """Return the view of a position, without legal moves, turns and empty fields."""
    seen = view(line, readonly=True)
    del seen["turns"]
    return {name: value for name, value in seen.items() if value not in ("", None, [])}


def bundle(first: str) -> str:
    """Return the module `first` and all its imports as one script.

    Each module becomes the definition of a constant: an object of its exports.
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in parts:
            text = page_file(f"{name}.js").decode()
            for _, other in _IMPORT.findall(text):
                add(other)
            exported = ", ".join(_EXPORT.findall(text))
            text = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = module_\2;\n", text))
            text += f"return {{ {exported} }};\n"
            parts[name] = f"const module_{name} = (() => {{\n{text}}})();\n"

    add(first)
    return "".join(parts.values()).replace("</", "<\\/")
