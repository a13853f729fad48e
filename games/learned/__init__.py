"""Learned evaluations: patterns of cells and their weights, from a file beside the game.

    patterns.py     cells, patterns, symmetries, phases
    weights.py      the file NAME.weights
    evaluation.py   the evaluation of positions by these weights

`scripts/learn` makes the file (scripts/learning); docs/learning.md explains how.
"""
