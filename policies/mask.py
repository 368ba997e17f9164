"""The text that stands where a role sees less of a value than there is."""

MASK = "•••"
"""The text that stands where a value is not shown."""
