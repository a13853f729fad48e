"""scripts/learn: a game learns an evaluation by self-play.

learn.py        the command line
session.py      a whole training run: games, progress, interruption
survey.py       the features of a game: its board, symmetries and patterns
selfplay.py     self-play games, and the target values of their positions
learner.py      the weights and their updates: temporal differences
match.py        games that measure what a training run has achieved
"""
