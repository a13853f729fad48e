"""What the page of scripts/board shows, as plain data, and the page as one HTML file.

fields      the parts of a command's JSON, checked; a Line: where its moves lead
view        a position that a page can draw
notes       what engines say, and how moves are marked
records     a game with its variations, as the page holds it
trees       a tree as it is drawn
embed       the page as a file, with games in it and no server behind it
"""
