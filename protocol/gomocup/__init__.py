"""The protocol of Gomocup and Piskvork, for Gomoku, freestyle Gomoku and Renju.

protocol: one method per command.  settings: those that INFO sets.
swap2: the opening rule.  yixin: the commands of Yixin's board.
"""
