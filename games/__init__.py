"""The games: their rules, and what each knows about playing well.

rules       tictactoe.py, tree.py and the folders chess, othello, connect4, gomoku,
            shogi, draughts
contract    base.py (the required and the optional parts of a game, such as an evaluation),
            types.py (types, for type checkers alone),
            registry.py (games by name, plugins)
text        texts.py (names of squares, errors), grid.py (rows, pictures), looks.py (how front
            ends draw a game), options.py (what users can set), openings.py (names of openings)
thinking    kernel.py (a game's interface to the tree search), solver.py (its interface to an
            exact search), entry.py (entries of tables), ordering.py (killers, history),
            keys.py (Zobrist keys), lanes.py (units of a network in one int);
            for games with kings: geometry.py and attacks.py (the board), pruning.py and
            quiescence.py (the search)
data        data.py (the games' files, and files that users name), learned (evaluations that
            scripts/learn made), notices.py (problems that users should know of)
"""
