"""Saved analyses as a caller meets them: listed, run with their own access, taken in after a review."""
