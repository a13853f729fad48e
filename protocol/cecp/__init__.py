"""CECP 2, the protocol of XBoard and WinBoard, for every game of the registry.

protocol: one method per command.  text: features, variants, moves, thinking, `edit`.
clock: time controls.
"""
