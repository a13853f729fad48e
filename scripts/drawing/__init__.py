"""Drawing: layouts, searched trees and boards as SVG and as text.

    script          scripts/tree, the command line
    strip, deepening    lines of play as rows of boards; the nodes of each depth
    reasons         why a search does what it does, in sentences
    figure          what a picture of a searched tree shows; layout: where its nodes go
    picture         a tree as SVG; animation: step by step, svg: the words of SVG
    plain, tikz     a tree as text for the terminal, and for LaTeX
    decimals        leaves with decimals
    board, chessmen     a board as SVG, and its chess pieces
    convert         SVG to PNG or PDF

Used by scripts/tree, and by the scripts that make pages and pictures.
"""
