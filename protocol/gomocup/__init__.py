"""The protocol of Gomocup and Piskvork, for Gomoku, freestyle Gomoku and Renju.

protocol: one method per command, and Swap2.  settings: the settings that INFO changes.
yixin: the commands of Yixin's board, which extend it.
"""
