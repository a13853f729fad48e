"""scripts/learn: a game learns an evaluation by playing against itself.

script.py       the command line
session.py      the whole of a learning: games, progress, interruption, what it came to
survey.py       what can be learned about: the board, its symmetries, the patterns
selfplay.py     games of the weights against themselves, and what their positions were worth
learner.py      the weights and how they change: temporal differences
factors.py      what was learned of pairs of features, in a form that is looked up fast
match.py        games between evaluations, all else being equal
pictures.py     the learning curve, the weights on the board
"""
