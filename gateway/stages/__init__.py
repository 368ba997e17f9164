"""The stages of a question between its plan and its reply."""
