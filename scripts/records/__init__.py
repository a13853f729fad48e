"""Records of games: PGN, SGF, GGF, the JSON lines of scripts/tournament and plain lists of moves, read and written."""
