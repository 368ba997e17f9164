"""Claims beside the numbers: settled by the cells, or left to a judge."""
