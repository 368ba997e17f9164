"""Which rows and which columns of the result the words around a number point to."""
