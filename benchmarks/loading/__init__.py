"""Parts of the load benchmark: the driver, and the servers that it asks."""
