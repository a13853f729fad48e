"""Game records: one model, and one reader and one writer of each format.

text        the door: bytes become text
record      the model: Record, Start, Step; the Builder of its tree
formats     which format a text is in; a Collection reads its games one by one
pgn, sgf (with sgf_text, sgf_board), ggf, json_lines, lists (of moves, and EPD)
san         moves as people write them
"""
