"""The executable scripts, and the modules that they consist of."""
