"""The beginning of a new game.

A template that plays, and scripts/new_game, which makes a copy under another name.
"""
