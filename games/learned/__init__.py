"""What a game has learned: patterns of cells and their weights, from a file beside it.

    patterns.py     what is looked at: cells, patterns, symmetries, phases
    weights.py      the file NAME.weights
    features.py     what features and pairs of them are worth
    evaluation.py   a position that evaluates by them

`scripts/learn` makes the file (scripts/learning); docs/learning.md tells how.
"""
