"""Drawing: layouts, searched trees and boards as SVG and as text.

Used by scripts/tree and scripts/analyse.
"""
