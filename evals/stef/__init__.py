"""STEF: an answer scored by rules over its query and its result, with a reason for each score."""
