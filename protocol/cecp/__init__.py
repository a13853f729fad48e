"""CECP 2, the protocol of XBoard and WinBoard, for every game of the registry.

protocol: one method a command.  text: features, variants, moves, thinking.  clock:
time controls.
"""
