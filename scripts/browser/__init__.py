"""scripts/board: a board in the browser, served to this machine alone.

    script      the command line
    server      HTTP: who may ask, the page's files, the interface and the events of a page
    websocket   by which events come
    interface   the commands of the page, as JSON: one table
    fields      the parts of a command's JSON, checked
    view        a position as plain data that a page can draw
    records     a game with its variations, as the page holds it
    desk        the engines of one page, which end with it
    lesson      a tree, and what minimax or alpha-beta visits of it, step by step
    trees       that tree as it is drawn
    watching    a tournament's record, followed as it grows
    page/       what the browser loads: HTML, CSS and JavaScript as they are written, no build

The page knows no rules: it holds a game as its start and its moves, and asks for everything
else.
"""
