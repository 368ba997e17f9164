"""Custody of traces and keys: unsealing, erasing, legal holds, retention and rotation, each on record."""
