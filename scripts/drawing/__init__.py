"""Drawing: layouts, searched trees and boards as SVG and as text.

    script          scripts/tree, the command line
    rows            lines of play as rows of boards, the nodes of each depth as bars
    reasons         sentences that explain each step of a search
    figure          the content of a searched tree's picture; layout: its nodes' places
    picture         a tree as SVG; animation: step by step, svg: elements of SVG
    plain, tikz     a tree as text for the terminal, and for LaTeX
    board, chessmen     a board as SVG, and its chess pieces
    convert         SVG to PNG or PDF
    *.css, tree.tex, chessmen.svg     what the pictures hold besides their shapes

Used by scripts/tree, and by the scripts that make pages and pictures.
"""
