"""The modules behind the executable scripts: play, watch, compare, learn."""
