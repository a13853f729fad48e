"""Game records: one model, and one class per format with its facts, reader and writer.

    bytes -- text --> text -- split --> text of a game -- read --> Record -- write --> text

text        decoding of files and bytes
record      the model: Record, Start, Step; the options of a game; and Format, the contract of a
            format
builder     the Builder, a cursor in a record's tree
formats     the tuple of all formats; detection; a Collection reads the games one by one
archives    WTHOR, RenLib and RenjuNet, which become JSON lines or SGF
pgn         moves of chess; pgn_text has the tokens, the games of a file and the headers;
            pdn is its dialect for draughts
sgf         the header of an SGF; sgf_text has tokens and nodes; sgf_tree has the board, and
            converts nodes to steps and back; ggf uses both
kif, csa    the formats of shogi; shogi_text has what they share
psq, json_lines, lists (of moves, positions of Othello, and EPD)
"""
