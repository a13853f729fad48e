"""GoGui's analyze commands: best moves, scores and principal variation, drawn on its board."""
from __future__ import annotations

from games.base import MAX_SCORE
from protocol.base import command
from protocol.gtp_score import score_label, score_text, winrate
from protocol.gtp_think import thinks

# type/label/command, as GoGui reads them.
_COMMANDS = (
    "gfx/Best Moves/plyglot-best_moves",
    "gfx/Value of Each Move/plyglot-move_values",
    "var/Principal Variation/plyglot-pv",
    "string/Score/plyglot-score",
    "string/Static Evaluation/plyglot-eval",
    "plist/Legal Moves/gogui-rules_legal_moves",
    "string/Final Score/final_score",
    "string/Position Text/plyglot-position",
    "string/Show Board/showboard",
    "string/SGF/printsgf",
    "param/Parameters/plyglot-param",
    "none/Clear Hash/plyglot-param Clear_Hash",
)

# Background of the best move and of the others.
_BEST, _OTHERS = "green", "yellow"


class Suggestions:
    """Commands that search as long as a move would take and answer in one of GoGui's forms."""

    def __init__(self, gtp):
        self._gtp, self._game, self._session = gtp, gtp.game, gtp.session

    @command("gogui-analyze_commands", "what GoGui can put into its menu of analyze commands")
    def _analyze_commands(self, words):
        return "\n".join(_COMMANDS)

    @command("plyglot-best_moves", "the best moves with rank and score, as graphics for GoGui")
    @thinks
    def _best_moves(self, words):
        result = self._search(max(self._session.values["MultiPV"], self._gtp.parameters.values["Analysis Moves"]))
        if not result.lines:
            return "TEXT the game is over"
        position, names = result.position, self._names(result)
        labels = [f"{name} {rank + 1}" for rank, name in enumerate(names)]
        scores = [f"{name} {score_text(line.score, position, line.moves)}" for name, line in zip(names, result.lines)]
        colours = [f"COLOR {_BEST} {names[0]}"] + ([f"COLOR {_OTHERS} {' '.join(names[1:])}"] if names[1:] else [])
        return "\n".join([*colours, f"LABEL {' '.join(labels)}",
                          f"TEXT depth {result.lines[0].depth}: {', '.join(scores)}"])

    @command("plyglot-move_values", "every move with its score, red for a loss and green for a win, for GoGui")
    @thinks
    def _move_values(self, words):
        result = self._search(256)
        if not result.lines:
            return "TEXT the game is over"
        position, names = result.position, self._names(result)
        rates = [winrate(line.score, position.game) for line in result.lines]
        colours = [f"COLOR {_shade(rate)} {name}" for name, rate in zip(names, rates)]
        labels = [f"{name} {score_label(line.score, position, line.moves)}" for name, line in zip(names, result.lines)]
        return "\n".join([*colours, f"LABEL {' '.join(labels)}", f"TEXT depth {result.lines[0].depth}"])

    @command("plyglot-pv", "the principal variation")
    @thinks
    def _pv(self, words):
        result = self._search(1)
        if not result.lines:
            return None
        return " ".join(self._game.variation(result.position, result.lines[0].moves))

    @command("plyglot-score", "the score for the side to move, and the best move")
    @thinks
    def _score(self, words):
        result = self._search(1)
        if not result.lines:
            return self._game.score()
        line, position = result.lines[0], result.position
        return (f"{self._game.colour(position.side)} {score_text(line.score, position, line.moves)}"
                f" with {self._game.vertex(line.moves[0], position)} at depth {line.depth}")

    @command("plyglot-eval", "the static evaluation for the side to move, term by term where there are terms")
    def _eval(self, words):
        position = self._session.position
        value = position.final_value()
        if value is not None:
            word = "win" if value > MAX_SCORE else "loss" if value < -MAX_SCORE else score_text(value, position)
            return f"game over: {word}"
        terms = [f"{name}: {score_text(score, position)}" for name, score in position.evaluation_terms()]
        return "\n".join([*terms, f"evaluation: {score_text(position.evaluate(), position)}"])

    @command("plyglot-position", "the position as text")
    def _position(self, words):
        return self._session.position.text()

    def _search(self, wanted):
        """The Result of a search for so many lines."""
        graphics = self._gtp.graphics.for_search()
        options = {"MultiPV": wanted, "UCI_AnalyseMode": True}
        try:
            return self._gtp.thinker.search(self._gtp.thinker.limits(), options, graphics)
        finally:
            self._gtp.graphics.clear(graphics)

    def _names(self, result):
        return [self._game.vertex(line.moves[0], result.position) for line in result.lines]


def _shade(rate):
    """Red at a win rate of 0, yellow at a half, green at 1."""
    red, green = min(1.0, 2 - 2 * rate), min(1.0, 2 * rate)
    return f"#{round(255 * red):02x}{round(255 * green):02x}40"
