"""Games that are graphs, for tests of the search: their values are computed without a search.

A node can be reached at different plies.  So a search may store a node's table entry at one distance
from the root, and read the entry at another distance.
"""

from games.base import MAX_SCORE, WIN, Game, Outcome, Position

LOST, DRAWN, WON = -1, 0, 1


class Graph(Game):
    """A game on a graph; a move is the node that it leads to.

    nodes: a list of (targets, evaluation), or of ((), result) where the game ends.  The evaluation
    and the result are those of the side to move.
    """

    name = "graph"

    def __init__(self, nodes, reductions=False):
        self.nodes, self.reductions = nodes, reductions

    def at(self, node, side=0):
        """Return the position at a node."""
        return GraphPosition(self, node, side)

    def parse(self, text, options):
        node, side = text.split()
        return self.at(int(node), int(side))

    def values(self):
        """Return the exact value of every node for its side to move; plies to a win are counted from the node."""
        known = {}

        def value(node):
            if node not in known:
                targets, result = self.nodes[node]
                known[node] = (
                    max(-one_ply_on(value(target)) for target in targets)
                    if targets
                    else WIN * result
                )
            return known[node]

        return [value(node) for node in range(len(self.nodes))]


def one_ply_on(value):
    """Return a node's value as seen one ply earlier: a win or loss is one ply farther away."""
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
    """Return a random graph whose moves skip up to three nodes, so a node can occur at several plies."""
    nodes = []
    for node in range(size):
        ahead = range(node + 1, min(node + 5, size))
        if not ahead or node > 3 and dice.random() < 0.2:
            nodes.append(((), dice.choice((LOST, LOST, LOST, DRAWN, WON))))
        else:
            nodes.append((dice.sample(ahead, dice.randint(1, len(ahead))), dice.randint(-50, 50)))
    return Graph(nodes)


def wild_tree(dice, height):
    """Return a random tree without repetitions, with branches of equal length and erratic evaluations."""
    nodes = [None]

    def grow(node, height):
        targets = []
        for _ in range(dice.randint(1, 3) if height else 0):
            nodes.append(None)
            targets.append(len(nodes) - 1)
            grow(targets[-1], height - 1)
        nodes[node] = (
            targets,
            dice.choice((3, 40, 300, 5000)) * dice.randint(-9, 9) if height else DRAWN,
        )

    grow(0, height)
    return Graph(nodes)


def late_traps(depths):
    """Return a tree with two moves: the first is worth 0, the second 100, but only odd depths show that.

    At even depths all replies to the second move, except the first reply, seem worth 500 to the opponent.  So a search that
    reduces late moves by one ply is misled at odd depths.  It has to search these moves again in full.
    """
    chains = [lambda depth: 0, lambda depth: 100] + 7 * [lambda depth: 100 if depth % 2 else -500]
    nodes = [((1, 2), 0), ((3,), 0), (tuple(range(4, 12)), 0)]
    for depth in range(2, depths):
        for score in chains:
            nodes.append(((len(nodes) + 9,), score(depth) if depth % 2 == 0 else -score(depth)))
    return Graph(nodes + [((), DRAWN)] * 9, reductions=True)
