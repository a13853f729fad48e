"""Scripts that train weights, make books and measure; README.md in this folder is the guide."""
