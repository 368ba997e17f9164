"""Every way the rows, columns and periods of a result may be named, and where a text names them."""
