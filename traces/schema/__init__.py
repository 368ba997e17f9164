"""Published JSON Schemas of a trace line, one file for each format version."""
