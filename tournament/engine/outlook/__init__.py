"""Projections: who is in the cut, who can make it, who can draw in."""
