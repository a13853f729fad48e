"""UCI, with what notation.md adds to it: one method a command."""
from __future__ import annotations

from games import registry
from protocol import moves
from protocol.base import AUTHOR, PRODUCT, VERSION, CommandError, Protocol, command, printable
from protocol.uci_go import read_go
from protocol.uci_info import (display, finished_line, report_line, score_words, trace_line)

# Names of the variant that front ends know besides the canonical ones.
_EXTRA_VARIANTS = ("cfour",)


class Uci(Protocol):
    """The Universal Chess Interface, for every game of the registry."""

    name = "uci"

    def dispatch(self, line):
        word, _, rest = line.replace("\t", " ").strip().partition(" ")
        if not word:
            return
        handler = self.table.get(word.lower())
        if handler is None:
            raise CommandError(f"unknown command: {printable(line.strip(), 80)}")
        handler(rest.strip())

    def error(self, text):
        self.write(f"info string error: {text}")

    def notice(self, text):
        self.write(f"info string {text}")

    # ---- hand-shake and options -------------------------------------------------------------------------

    @command("uci", "tell the engine's name and options")
    def _uci(self, rest):
        self.write(f"id name {PRODUCT} {VERSION}", f"id author {AUTHOR}", *map(option_line, self.session.options()),
                   self._variant_line(), "uciok")

    def _variant_line(self):
        names = registry.names() + [name for name in _EXTRA_VARIANTS if name not in registry.names()]
        return "option name UCI_Variant type combo default chess" + "".join(f" var {name}" for name in names)

    @command("isready", "answer readyok as soon as everything before is done")
    def _isready(self, rest):
        self.session.warm_up()
        self.write("readyok")

    @command("setoption", "setoption name NAME [value VALUE]: change an option")
    def _setoption(self, rest):
        words = rest.split()
        if len(words) < 2 or words[0].lower() != "name":
            raise CommandError(f"setoption needs: name NAME [value VALUE], not: {printable(rest, 60)}")
        lower = [word.lower() for word in words]
        end = lower.index("value", 1) if "value" in lower[1:] else len(words)
        name, value = " ".join(words[1:end]), " ".join(words[end + 1:])
        if name.lower() == "uci_variant":
            self.session.choose_game(value)
        else:
            self.session.set_option(name, value)

    @command("debug", "debug on|off: accepted, there is nothing to switch")
    def _debug(self, rest):
        if rest.lower() not in ("on", "off", ""):
            raise CommandError(f"debug must be on or off, not: {printable(rest, 40)}")

    @command("register", "accepted: the engine needs no registration")
    def _register(self, rest):
        pass

    @command("ucinewgame", "forget everything about the last game")
    def _ucinewgame(self, rest):
        self.session.stop_endless()
        self.session.new_game()

    # ---- positions --------------------------------------------------------------------------------------

    @command("position", "position startpos|fen TEXT [moves MOVE ...]: set the position")
    def _position(self, rest):
        words = rest.split()
        kind = words[0].lower() if words else ""
        lower = [word.lower() for word in words]
        end = lower.index("moves") if "moves" in lower else len(words)
        if kind == "startpos" and end == 1:
            text = None
        elif kind == "fen" and end > 1:
            text = " ".join(words[1:end])
        else:
            raise CommandError(f"position needs: startpos or fen TEXT, then moves MOVE ..., not: {printable(rest, 60)}")
        self.session.setup(text, words[end + 1:], moves.read)

    @command("d", "show the position")
    def _d(self, rest):
        self.write(*display(self.session.position))

    @command("eval", "show the static evaluation, term by term")
    def _eval(self, rest):
        position = self.session.position
        value = position.final_value()
        if value is not None:
            self.write(f"Result: {score_words(value, position)}", f"Evaluation: {value}")
            return
        terms = [f"{name}: {score}" for name, score in position.evaluation_terms()]
        self.write(*terms, f"Evaluation: {position.evaluate()}")

    # ---- thinking ---------------------------------------------------------------------------------------

    @command("go", "go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]"
                   " [mate N] [infinite] [ponder] [searchmoves MOVE ...] | go perft N: think")
    def _go(self, rest):
        limits, perft_depth = read_go(rest.split(), self.session.position)
        if limits is None:
            self._perft(perft_depth)
            return
        show_wdl = self.session.values["UCI_ShowWDL"]       # as it is now: the search may have to wait

        def on_report(report, position):
            self.write(report_line(report, position, show_wdl))

        self.session.start(limits, on_report, self._on_done, self._on_trace)

    def _on_trace(self, event):
        self.write(trace_line(event))

    def _on_done(self, result):
        if result.move is None:
            self.write(finished_line(result.position), "bestmove (none)")
            return
        position, words = result.position, []
        for move in (result.move, result.ponder):
            if move is not None:
                words.append(moves.drop(position, move))
                position.make(move)
        self.write("bestmove " + " ponder ".join(words))

    @command("stop", "end the search and answer")
    def _stop(self, rest):
        self.session.stop()

    @command("ponderhit", "the expected move was played: think on by the clock")
    def _ponderhit(self, rest):
        self.session.ponderhit()

    def _perft(self, depth):
        from search.perft import divide

        position = self.session.copy_position()

        def work(context):
            counts = divide(position, depth, context.check) if depth else []
            return [(moves.drop(position, move), count) for move, count in counts]

        def tell(counts):
            if counts is None:
                self.error("perft was stopped")
                return
            total = sum(count for _, count in counts) if depth else 1
            self.write(*[f"{move}: {count}" for move, count in counts], "", f"Nodes searched: {total}")

        self.session.run(work, tell)

    @command("bench", "bench [depth]: search a fixed set of positions of all games")
    def _bench(self, rest):
        from time import perf_counter

        from search.bench import bench

        depth = None
        if rest:
            if not (rest.isascii() and rest.isdigit() and 1 <= int(rest[:4]) <= 100):
                raise CommandError(f"bench: the depth must lie in 1..100, not: {printable(rest, 40)}")
            depth = int(rest)

        def work(context):
            started = perf_counter()
            return bench(context, self._tell_bench, depth), max(perf_counter() - started, 0.001)

        def tell(found):
            if found is None:
                self.error("bench was stopped")
                return
            nodes, seconds = found
            self.write(f"Nodes searched: {nodes}", f"Nodes/second: {round(nodes / seconds)}")

        self.session.run(work, tell)

    def _tell_bench(self, game, text, nodes):
        self.write(f"{game.name} {nodes} {printable(text, 100)}")

    # ---- the rest ---------------------------------------------------------------------------------------

    @command("help", "show the commands")
    def _help(self, rest):
        self.write(*[f"{name}: {self.table[name].help}" for name in sorted(self.table)])

    @command("quit", "end the process")
    def _quit(self, rest):
        self.finished = True


def option_line(option):
    """The line that declares an option to UCI."""
    words = f"option name {option.name} type {option.kind}"
    if option.kind == "button":
        return words
    if option.kind == "check":
        return f"{words} default {str(option.default).lower()}"
    if option.kind == "spin":
        return f"{words} default {option.default} min {option.low} max {option.high}"
    if option.kind == "combo":
        return f"{words} default {option.default}" + "".join(f" var {choice}" for choice in option.choices)
    return f"{words} default {option.default or '<empty>'}"
