"""Turns of phrase that tie a number to its cell: brackets, lists that answer each other, parts of a whole."""
