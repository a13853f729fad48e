"""Drawing: layouts, searched trees and boards as SVG and as text.

    tree            scripts/tree, the command line
    figure          a tree and a search of it
    layout          where the nodes, edges and texts of a tree are drawn
    replay          the search, event by event, with a sentence that explains each event
    picture         a tree as SVG, or step by step as an animated SVG; svg: elements of SVG
    outline, tikz   a tree as text for the terminal, and for LaTeX
    worksheet       random trees, to solve on paper
    board           a board as SVG, and its chess pieces
    notebook        plyglot.Board and plyglot.Tree, the pictures for notebooks
    *.css, tree.tex     styles for SVG and for LaTeX; chessmen.svg: drawings of chess pieces

Used by scripts/tree, and by the scripts that make pages and pictures.
"""
