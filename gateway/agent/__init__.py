"""The bounded workflow around a question in words: intake first, then a model within limits."""
