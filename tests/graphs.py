"""Games that are graphs, for tests of the search: their values are computed without one.

A node can be reached at different plies, so that what the table remembers is met again at another distance from the
root.
"""
from games.base import MAX_SCORE, WIN, Game, Outcome, Position

LOST, DRAWN, WON = -1, 0, 1


class Graph(Game):
    """nodes: [(targets, evaluation or result)], both for the side to move; no targets: the game is over.

    A move is the node that it leads to.
    """

    name = "graph"

    def __init__(self, nodes, reductions=False):
        self.nodes, self.reductions = nodes, reductions

    def at(self, node, side=0):
        """A position."""
        return GraphPosition(self, node, side)

    def parse(self, text, options):
        node, side = text.split()
        return self.at(int(node), int(side))

    def values(self):
        """The exact value of every node for the side to move there, counted from the node."""
        known = {}

        def value(node):
            if node not in known:
                targets, result = self.nodes[node]
                known[node] = max(-one_ply_on(value(target)) for target in targets) if targets else WIN * result
            return known[node]

        return [value(node) for node in range(len(self.nodes))]


def one_ply_on(value):
    """A value counted from a node, as seen one ply before it."""
    return value - 1 if value > MAX_SCORE else value + 1 if value < -MAX_SCORE else value


class GraphPosition(Position):
    def __init__(self, game, node, side):
        self.game, self.node, self.side, self._path = game, node, side, []

    @property
    def key(self):
        return (2 * self.node + self.side + 1) * 0x9E3779B97F4A7C15 % (1 << 61)

    def legal_moves(self):
        return list(self.game.nodes[self.node][0])

    def make(self, move):
        self._path.append(self.node)
        self.node, self.side = move, 1 - self.side

    def undo(self):
        self.node, self.side = self._path.pop(), 1 - self.side

    def outcome(self):
        targets, result = self.game.nodes[self.node]
        if targets:
            return None
        return Outcome({LOST: 1 - self.side, DRAWN: None, WON: self.side}[result], "the graph ends")

    def evaluate(self):
        return self.game.nodes[self.node][1]

    def text(self):
        return f"{self.node} {self.side}"

    def move_text(self, move):
        return str(move)


def ladder(dice, size):
    """A random graph whose moves lead one to four nodes on: the same node comes after one ply or after three."""
    nodes = []
    for node in range(size):
        ahead = range(node + 1, min(node + 5, size))
        if not ahead or node > 3 and dice.random() < 0.2:
            nodes.append(((), dice.choice((LOST, LOST, LOST, DRAWN, WON))))
        else:
            nodes.append((dice.sample(ahead, dice.randint(1, len(ahead))), dice.randint(-50, 50)))
    return Graph(nodes)
