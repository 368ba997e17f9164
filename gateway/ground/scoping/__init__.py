"""Periods, filters and metric names of a draft, held against the question that ran."""
