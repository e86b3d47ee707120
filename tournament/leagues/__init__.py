"""Leagues: events of a season with points, tables and seeds."""
