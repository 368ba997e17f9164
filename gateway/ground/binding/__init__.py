"""Each number of a sentence bound to one cell, or the reason why it cannot be."""
