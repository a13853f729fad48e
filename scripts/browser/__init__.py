"""scripts/board: a board in the browser, served to this machine alone.

    script      the command line
    server      HTTP: who may ask, the page's files, the interface and the events of a page
    websocket   by which events come
    interface   the commands of the page, as JSON: one table
    desk        the engines of one page, which end with it
    review      a whole game through an engine, while the page looks on
    address     the port and the token of last time
    lesson      a tree, and what minimax or alpha-beta visits of it, step by step
    watching    a tournament's record, followed as it grows
    page/       what the browser loads: HTML, CSS and JavaScript as they are written, no build

What it shows, scripts/pages makes.  The page knows no rules: it holds a game as its start
and its moves, and asks for everything else.
"""
