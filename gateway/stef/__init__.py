"""Scores without a reference: taken as a question closes, and judged by a decision model where one is set."""
