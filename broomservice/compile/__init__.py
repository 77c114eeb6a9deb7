"""Turning a pack into effect objects: names, layout of the cells, expressions, steps."""
