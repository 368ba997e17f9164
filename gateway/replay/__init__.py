"""A recorded question worked through again: what differs, and the smallest change that makes it differ."""
