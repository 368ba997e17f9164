"""The text that stands where a value is not shown."""

MASK = "•••"
