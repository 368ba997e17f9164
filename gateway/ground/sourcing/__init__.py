"""What a number could come from: a cell, a derivation, a parameter, a count, a whole column."""
