"""Figures that code computes and prints: declared derivations, slots, display formats."""
