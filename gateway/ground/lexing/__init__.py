"""A draft read to tokens: characters, digits, units, signs, and the words that the rooms above look for."""
