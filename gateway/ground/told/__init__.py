"""What a sentence says of the row a number was bound to, held against the cells of that row."""
