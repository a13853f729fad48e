"""scripts/play, playing in the terminal: the board, the game in progress, the opponent.

play                the command line
commands            asks the person, carries out what they type, lets engines move
screen, board       two ways to show a game, and the board that both draw
match               the game in progress and its files
opponent            the engine that plays and gives hints
"""
