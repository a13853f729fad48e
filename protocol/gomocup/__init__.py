"""The protocol of Gomocup and Piskvork, for Gomoku, freestyle Gomoku and Renju.

protocol: one method a command.  settings: what INFO asks for.
"""
