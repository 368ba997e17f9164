"""The databases behind one protocol: one file an engine, and the rooms each of them needs."""
