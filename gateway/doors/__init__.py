"""The ways in: command line, HTTP, MCP and console over one house."""
