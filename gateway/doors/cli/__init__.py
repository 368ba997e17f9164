"""The command line, verb by verb."""
