"""What people run: play, watch, compare, learn.  The modules behind the executable scripts."""
