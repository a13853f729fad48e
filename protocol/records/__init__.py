"""Game records: one model, and one reader and one writer per format.

text        decoding of files and bytes
record      the model: Record, Start, Step (options and moves' notation lie in protocol)
builder     the Builder of a record's tree
formats     detection of the format; a Collection reads the games one by one
archives    WTHOR, RenLib and RenjuNet, which become JSON lines or SGF
pgn (with pgn_text), sgf and ggf (with sgf_text, sgf_board, sgf_tree), psq, json_lines,
lists (of moves, and EPD)
"""
