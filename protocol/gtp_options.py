"""GTP: the declared options as parameters, in the form of GoGui's `param` commands.

    plyglot-param                   all parameters, a line each: [type] NAME VALUE
    plyglot-param NAME              the value of one; a button is pressed
    plyglot-param NAME VALUE        set one; blanks in its name are written as underscores, true and false as 1 and 0
"""
from __future__ import annotations

from games.base import Option
from protocol.base import CommandError, command

# What only GTP needs: its front ends tell an engine nothing but clocks, and often not even those.
OPTIONS = (
    Option("Genmove Time", "spin", 1000, 1, 3_600_000, help="milliseconds for a move while no clock is set"),
    Option("Genmove Depth", "spin", 0, 0, 200, help="plies; 0 for no such limit"),
    Option("Genmove Nodes", "spin", 0, 0, 10**12, help="nodes; 0 for no such limit"),
    Option("Analysis Moves", "spin", 5, 1, 256, help="how many moves an analysis shows at least"),
    Option("Live Graphics", "check", False, help="show in GoGui what is thought of"),
)


class Parameters:
    """The options of the session and of GTP, and their command.

    values: {name: value} of GTP's own options.
    """

    def __init__(self, session):
        self._session = session
        self.values = {option.name: option.default for option in OPTIONS}

    def limits(self, bounded):
        """{name: value} for Limits(); the time counts only where neither a clock nor another limit ends the search."""
        depth, nodes = self.values["Genmove Depth"] or None, self.values["Genmove Nodes"] or None
        seconds = None if bounded or depth or nodes else self.values["Genmove Time"] / 1000
        return {"depth": depth, "nodes": nodes, "movetime": seconds}

    def options(self):
        """All options that can be set."""
        return list(OPTIONS) + self._session.options()

    @command("plyglot-param", "plyglot-param [NAME [VALUE]]: show or change the parameters")
    def _param(self, words):
        if not words:
            return "\n".join(self._line(option) for option in self.options() if option.kind != "button")
        option = self._find(words[0])
        text = " ".join(words[1:])
        if not text and option.kind not in ("string", "button"):
            return _shown(option, self._value(option))
        self._set(option, {"1": "true", "0": "false"}.get(text, text) if option.kind == "check" else text)
        return None

    def _find(self, key):
        for option in self.options():
            if _key(option).lower() == key.lower().replace(" ", "_"):
                return option
        raise CommandError(f"no such parameter: {key[:60]}")

    def _set(self, option, text):
        if option.name not in self.values:
            self._session.set_option(option.name, text)
            return
        try:
            self.values[option.name] = option.read(text)
        except ValueError as error:
            raise CommandError(str(error)) from None

    def _value(self, option):
        if option.name in self.values:
            return self.values[option.name]
        return self._session.values.get(option.name, option.default)

    def _line(self, option):
        kind = {"check": "bool", "combo": "/".join(["list", *option.choices])}.get(option.kind, "string")
        return f"[{kind}] {_key(option)} {_shown(option, self._value(option))}"


def _key(option):
    return option.name.replace(" ", "_")


def _shown(option, value):
    return str(int(value)) if option.kind == "check" else str(value)
