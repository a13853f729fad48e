"""What trains weights, makes books and measures; README.md in this folder is the guide."""
