"""Game records, read and written.

pgn, sgf, ggf: the formats of the field.  lines: the JSON lines of scripts/tournament
and plain lists of moves.  formats: which one it is.  record: a game, whatever it was
read from.  steps: a game with its variations, comments, marks and evaluations, and
*_steps each format with them.
san: moves as people write them.
"""
