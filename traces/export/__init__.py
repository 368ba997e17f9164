"""Traces for other systems: spans, lineage events, flat lines. No text of anybody and no value leaves."""
