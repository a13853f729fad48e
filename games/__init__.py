"""The games: their rules, and what each knows about playing well.

rules       tictactoe.py, tree.py and the folders chess, othello, connect4, gomoku
contract    base.py (the required and the optional parts of a game), types.py (types, for type
            checkers alone), registry.py (games by name, plugins)
text        grid.py (squares, rows, pictures), options.py (what users can set), looks.py
            (how front ends draw a game)
thinking    kernel.py (a game's interface to the tree search), solver.py (to an exact search),
            entry.py (the table's entries), ordering.py, keys.py (Zobrist)
data        data.py (the games' files, and files that users name), learned (evaluations that
            scripts/learn made)
"""
