"""Drawing: layouts, searched trees and boards as SVG and as text.

    tree            scripts/tree, the command line
    reasons         sentences that explain each step of a search
    figure          the content of a searched tree's picture; layout: its nodes' places
    picture         a tree as SVG; animation: step by step, svg: elements of SVG
    outline, tikz   a tree as text for the terminal, and for LaTeX
    board           a board as SVG, and its chess pieces
    *.css, tree.tex, chessmen.svg     what the pictures hold besides their shapes

Used by scripts/tree, and by the scripts that make pages and pictures.
"""
