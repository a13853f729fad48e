#!/usr/bin/env python3
"""Measure how much sooner N processes reach a depth, or a proof, than one.

    python3 scripts/lab/threads_speedup.py SET [--threads N ...] [--count N] [--file FILE]

SET: chess, othello (midgame), endgame (Othello, to the end), connect4, gomoku or tictactoe.  The
positions are from games that the engine plays against itself at a small depth after a few random
plies: always the same ones.  --file gives others, one a line: a text in the game's notation, up
to a `;`, or moves from the start position.

Each position is searched by one process and by N in turn, from empty tables.  Each of these
searches runs in its own process that has met the same positions before, so that all have the
same caches (Gomoku's maps outlive a search).  The figures are geometric means over all
positions:

    wall    seconds with one process / seconds with N: the speed-up
    cpu     the same with the CPU time of the answering process: the speed-up on processors that
            nobody else uses, as long as that process never waits
    nodes   nodes of all N processes / nodes of one: the work done twice, or in vain
    busy    CPU time of each helper / that of the answering process (if /proc reports it)
    gain    with --beside: wall * seconds with one process while N - 1 others search on their own
            / seconds with one alone: what `wall` would be if processes didn't slow each other down

and the 95 % confidence interval of the mean of `wall`.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import multiprocessing
import os
import pathlib
import random
import signal
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple, Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.base import MAX_SCORE, GameError, Position  # noqa: E402
from games.solver import Line  # noqa: E402
from scripts.command_line import Parser, fail, positive, whole_number  # noqa: E402
from search.job import Report, Result  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.options import OPTIONS  # noqa: E402
from search.session import Session  # noqa: E402

# A position to search: (text of the start, None for the game's own; moves).
Where = tuple[Optional[str], list[str]]

SCRIPT = "scripts/lab/threads_speedup.py"
MOST_THREADS = 64
SECONDS_TO_START = 2.0


class Set(NamedTuple):
    """A set of positions from games of `game`.

    plies: least and greatest length of the game.  random_plies: number of random plies at its
    start.  play_depth: search depth of the others.  depth: depth of the measured search, None
    for the end of the game.  fewest: positions that one process answers in fewer nodes are left
    out.
    """

    game: str
    random_plies: int
    plies: tuple[int, int]
    play_depth: int
    depth: int | None
    fewest: int


SETS = {
    "chess": Set("chess", 4, (8, 60), 4, 11, 1000),
    "othello": Set("othello", 6, (10, 34), 3, 12, 1000),
    "endgame": Set("othello", 10, (42, 42), 3, None, 1000),
    "connect4": Set("connect4", 11, (11, 11), 1, None, 5000),
    "gomoku": Set("gomoku", 3, (6, 24), 3, 10, 1000),
    "tictactoe": Set("tictactoe", 0, (0, 3), 1, 9, 0),
}


class Measured(NamedTuple):
    """The costs of a search: seconds, and the CPU seconds and nodes of all its processes."""

    wall: float
    cpu: float
    helpers: float
    nodes: int


def played(chosen: Set, number: int) -> Where | None:
    """Return the position `number` of a set, None if the game was over earlier."""
    dice = random.Random(f"{chosen.game}/{number}")
    session = Session(chosen.game)
    session.set_option("Hash", "1")
    session.setup()
    start, texts = session.position.text(), []
    for ply in range(dice.randint(*chosen.plies)):
        position = session.position
        if position.outcome() is not None:
            return None
        if ply < chosen.random_plies:
            move = dice.choice(position.search_moves())  # in Gomoku those near the stones
        else:
            line = answer(session, Limits(depth=chosen.play_depth))
            if abs(line.score) > MAX_SCORE:
                return None
            move = line.moves[0]
        texts.append(position.move_text(move))
        session.play(move, known_legal=True)
    position = session.position
    if position.outcome() is not None or len(position.legal_moves()) < 2:
        return None
    return start, texts


def positions(chosen: Set, count: int) -> list[Where]:
    """Return `count` positions of a set."""
    found = (played(chosen, number) for number in itertools.count())
    return list(itertools.islice(filter(None, found), count))


def read_positions(path: str, game: str) -> list[Where]:
    """Return the positions of a file's lines: texts, or moves from the start of the game."""
    session, found = Session(game), []  # type: Session, list[Where]
    with open(path, encoding="utf-8") as file:
        lines = [line.split(";")[0].strip() for line in file]
    for line in filter(None, lines):
        # In Connect Four moves are columns without spaces, then the score.
        words = list(line.split()[0]) if game == "connect4" else line.split()
        try:
            session.setup(line)
            found.append((line, []))
        except GameError:
            found += [(None, words)] * (line[0] != "#")
    return found


def answer(session: Session, limits: Limits) -> Line:
    """Return the best Line of a search."""
    done: list[Result] = []
    session.start(limits, lambda report, position: None, done.append)
    session.wait()
    return done[0].lines[0]


def cpu_of_children() -> float:
    """Return the CPU seconds of child processes, 0 if the system doesn't report them."""
    total = 0.0
    try:
        tick = os.sysconf("SC_CLK_TCK")
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            words = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(words[1]) == os.getpid():
                total += (int(words[11]) + int(words[12])) / tick
    except (OSError, AttributeError, ValueError):
        return total
    return total


def measured(session: Session, where: Where, limits: Limits) -> Measured:
    """Search a position from empty tables."""
    session.clear_memory()
    session.setup(*where)
    nodes = [0]

    def report(running: Report, position: Position) -> None:
        nodes[0] = max(nodes[0], running.nodes)

    helpers, cpu, wall = cpu_of_children(), time.process_time(), time.perf_counter()
    session.start(limits, report, lambda result: None)
    session.wait()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Measured(wall, cpu, cpu_of_children() - helpers, nodes[0])


def search_on(game: str, wheres: list[Where], limits: Limits) -> None:
    """Search the positions one after the other, endlessly."""
    session = Session(game)
    while True:
        for where in wheres:
            measured(session, where, limits)


class Neighbours:
    """Processes that search on their own while at_work() lasts."""

    def __init__(self, count: int, game: str, wheres: list[Where], limits: Limits) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._processes = [
            spawn.Process(target=search_on, args=(game, wheres, limits), daemon=True)
            for _ in range(count)
        ]
        for process in self._processes:
            process.start()
        time.sleep(SECONDS_TO_START)
        self._send(signal.SIGSTOP)

    @contextlib.contextmanager
    def at_work(self, count: int) -> Iterator[None]:
        """Let `count` of the processes search inside this context."""
        self._send(signal.SIGCONT, count)
        try:
            yield
        finally:
            self._send(signal.SIGSTOP)

    def end(self) -> None:
        """Kill the processes."""
        self._send(signal.SIGKILL)

    def _send(self, number: int, count: int | None = None) -> None:
        for process in self._processes[:count]:
            if process.pid is not None:
                os.kill(process.pid, number)


class Player:
    """A process that searches with a number of threads on request."""

    def __init__(self, game: str, threads: int, limits: Limits) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, spawn, open_session, (game, threads))
        self._limits = limits

    def measured(self, where: Where) -> Measured:
        """Let the process search a position from empty tables."""
        return self._pool.submit(measured_here, where, self._limits).result()

    def close(self) -> None:
        """End the process."""
        self._pool.submit(close_session).result()
        self._pool.shutdown()


_sessions: list[Session] = []  # of a Player's process


def open_session(game: str, threads: int) -> None:
    """Open the session of this process; it and its helpers are ready afterwards."""
    # Allow more processes than processors, whose node counts are still valid.
    next(option for option in OPTIONS if option.name == "Threads").high = MOST_THREADS
    _sessions.append(Session(game))
    _sessions[0].set_option("Threads", str(threads))
    answer(_sessions[0], Limits(depth=1))


def measured_here(where: Where, limits: Limits) -> Measured:
    """Search a position with the session of this process."""
    return measured(_sessions[0], where, limits)


def close_session() -> None:
    """Close the session of this process."""
    _sessions[0].close()


def compare(
    name: str, wheres: list[Where], limits: Limits, threads: list[int], beside: bool
) -> None:
    """Search all positions with one process and with each number of them; print the means."""
    game = SETS[name].game
    with contextlib.ExitStack() as stack:

        def player(count: int) -> Player:
            return stack.enter_context(contextlib.closing(Player(game, count, limits)))

        players = {count: player(count) for count in [1, *threads]}
        slowed = {count: player(1) for count in threads if beside}
        neighbours = Neighbours(max(threads) - 1 if beside else 0, game, wheres, limits)
        stack.callback(neighbours.end)
        found: dict[int, list[Measured]] = {count: [] for count in players}
        disturbed: dict[int, list[Measured]] = {count: [] for count in threads}
        for where in wheres:
            for count, each in players.items():
                found[count].append(each.measured(where))
                if found[1][-1].nodes < SETS[name].fewest:
                    found[1].pop()
                    break
            else:
                for count, each in slowed.items():
                    with neighbours.at_work(count - 1):
                        disturbed[count].append(each.measured(where))
    for count in threads:
        print(summary(name, count, found[1], found[count], disturbed[count]), flush=True)


def summary(
    name: str,
    count: int,
    alone: list[Measured],
    together: list[Measured],
    disturbed: list[Measured],
) -> str:
    """Return a line with the means.

    alone, together: the searches by one process, and by `count` processes as a team.
    disturbed: those by one process while count - 1 others search on their own, if any.
    """
    walls = logarithms("wall", alone, together)
    helpers = sum(one.helpers for one in together) / (count - 1)
    busy = helpers / max(sum(one.cpu for one in together), 1e-9)
    spread = 1.96 * statistics.stdev(walls) / len(walls) ** 0.5 if len(walls) > 1 else 0.0
    mean = statistics.fmean(walls)
    gain = ""
    if disturbed:
        gain = f", gain {math.exp(mean) * ratio('wall', disturbed, alone):.2f}"
    return (
        f"{name}, {len(alone)} positions, {count} processes: wall {math.exp(mean):.2f} "
        f"({math.exp(mean - spread):.2f} to {math.exp(mean + spread):.2f}), "
        f"cpu {ratio('cpu', alone, together):.2f}, nodes {ratio('nodes', together, alone):.2f}, "
        f"busy {busy:.2f}{gain}; {sum(one.wall for one in alone):.1f} s alone"
    )


def ratio(cost: str, some: list[Measured], others: list[Measured]) -> float:
    """Return the geometric mean of a cost of searches over that of their counterparts."""
    return math.exp(statistics.fmean(logarithms(cost, some, others)))


def logarithms(cost: str, some: list[Measured], others: list[Measured]) -> list[float]:
    """Return the logarithms of these quotients; no cost counts as less than a millionth."""
    return [
        math.log(max(getattr(one, cost), 1e-6) / max(getattr(other, cost), 1e-6))
        for one, other in zip(some, others)
    ]


def main() -> None:
    """Read the command line and measure."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("SET", ", ".join(sorted(SETS)), choices=sorted(SETS))
    counts = whole_number(2, MOST_THREADS)
    parser.add("--threads N", "numbers of processes (default 2)", [2], nargs="+", type=counts)
    parser.add("--count N", "number of positions", 30, type=positive)
    parser.add("--depth PLIES", "depth to search, in place of the set's own", type=int)
    parser.add("--file FILE", "positions to search in place of the set's own")
    parser.add("--beside", "also measure independent searches beside each other")
    args = parser.parse_args()
    chosen = SETS[args.set]
    try:
        if args.file:
            wheres = read_positions(args.file, chosen.game)[: args.count]
        else:
            wheres = positions(chosen, args.count)
    except OSError as error:
        fail(SCRIPT, error)
    depth = args.depth or chosen.depth
    compare(args.set, wheres, Limits(depth=depth), args.threads, args.beside)


if __name__ == "__main__":
    main()
