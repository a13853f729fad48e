"""Playing in the terminal: the board, the game in progress, the opponent and the conversation."""
