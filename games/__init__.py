"""The rules of the games, behind a registry.

rules       tictactoe.py, tree.py and the folders chess, othello, connect4, gomoku: one
a game contract    base.py (what a game owes, and may add), types.py (the same for type
checkers),
            registry.py (games by name, plugins)
text        grid.py (squares, rows, pictures), options.py (what users can set) thinking
kernel.py (what the tree search asks of a game), entry.py (the table's entries),
            solver.py (of a solver), ordering.py, keys.py (Zobrist keys)
data        data.py (the games' files, and those that a user names)
"""
