"""The shop over which questions are held, as the tests of holds have it."""

from tests.gateway.holds.conftest import clock, house, open_counted, ralf

__all__ = ["clock", "house", "open_counted", "ralf"]
