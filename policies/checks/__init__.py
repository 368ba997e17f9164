"""The checks, one file for each kind of fault; none knows another."""
