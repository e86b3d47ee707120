"""Elimination brackets: layout, play, diagram and seeding from groups."""
