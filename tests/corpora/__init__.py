"""Adapters from labelled cases onto the product's own objects."""
