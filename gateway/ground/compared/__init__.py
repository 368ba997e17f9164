"""Orders, extremes, moves and places, computed from the cells."""
