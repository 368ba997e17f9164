"""Saved analyses as data: what their files may say, what their parameters take, and how they are loaded."""
