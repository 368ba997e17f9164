"""cellbound: the guarded analytics-agent gateway. No number leaves without a cell."""

__version__ = "0.1.0"
