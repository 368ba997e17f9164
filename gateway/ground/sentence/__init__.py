"""A draft cut into sentences: who stands beside which number, and what a pronoun or a list refers to."""
