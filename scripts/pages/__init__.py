"""The data of scripts/board's page, and the page as one HTML file.

fields      checked fields of a command's JSON, and the game that they describe
view        a position that a page can draw, after the moves of a GameLine
notes       evaluations by engines, and marks of moves
records     a game with its variations, as the page holds it
embed       the page as a file that holds games and needs no server
"""
