"""scripts/play, playing in the terminal: the board, the game in progress, the opponent and the
conversation.

    play, arguments     the entry point and the command line
    conversation        shows the board, asks the person, lets engines move
    commands            what a person can type; refusals: moves, and why one is illegal
    screen, board       two ways to show a game, and the board that both draw
    match, autosave     the game in progress, and the file that it is saved in after each move
    opponent            the engine that plays, gives hints and evaluates
"""
