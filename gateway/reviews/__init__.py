"""Held questions as reviewers and askers see them, and the verbs on them."""
