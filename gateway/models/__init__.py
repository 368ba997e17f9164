"""Language models behind one verb: instructions and fields out, one JSON object back."""
